"""The lines that ``explain`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autovec.pipeline import Specialisation


def explanation(name: str, specialisation: Specialisation) -> str:
    """One paragraph a line of the user's function, then what still loops."""
    parts = [f"{name}: what became of each line"]
    for line, text, what, why in specialisation.explain:
        reason = f" ({why})" if why else ""
        parts.append(f"{line:5}  {text.strip()}\n       -> {what}{reason}")
    parts += [f"runs as a loop: {problem}" for problem in specialisation.fallbacks]
    if not specialisation.fallbacks:
        parts.append("nothing runs as a loop over samples")
    return "\n".join(parts)
