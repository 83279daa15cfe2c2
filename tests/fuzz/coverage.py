"""Which lowerings and rules the emitted texts used, and why programs fell back."""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.judge import Verdict


@dataclass
class Coverage:
    """Counters over many verdicts; they add up, so several processes can each keep one."""

    programs: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    helpers: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    raised: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)

    def add(self, verdict: Verdict, features: list[str]) -> None:
        """One program's verdict."""
        status = verdict.status
        if status == "ok":
            status = "ok with fallback" if verdict.fallbacks else "ok vectorised"
        self.programs[status] += 1
        self.programs["lanes"] += verdict.lanes
        self.programs["lanes set aside: rounding decides"] += verdict.unstable
        if verdict.raised:
            self.raised[verdict.raised] += 1
        for reason in {_reason(r) for r in verdict.fallbacks}:
            self.fallbacks[reason] += 1
        self.features.update(features)
        if verdict.text:
            self.read(verdict.text)

    def read(self, text: str) -> None:
        """Count each text once for everything that it contains."""
        seen: set[str] = set()
        shapes: set[str] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name.replace(".", "").isidentifier():
                    seen.add(name)
            elif isinstance(node, ast.FunctionDef):
                self.helpers[re.sub(r"\d+", "#", node.name)] += 1
            elif isinstance(
                node, ast.If | ast.For | ast.While | ast.Raise | ast.Assert | ast.Try | ast.Lambda
            ):
                shapes.add(type(node).__name__)
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                shapes.add("store into a buffer")
        self.calls.update(c for c in seen if c.startswith(("np.", "math.")) or "." not in c)
        self.shapes.update(shapes)

    def merge(self, other: Coverage) -> None:
        for name, counter in vars(other).items():
            getattr(self, name).update(counter)

    def report(self, verbose: bool = False) -> str:
        lines = []
        for title, counter in vars(self).items():
            if not counter or (title in ("features", "helpers") and not verbose):
                continue
            lines.append(f"{title}:")
            items = counter.most_common(None if verbose else 40)
            if title == "fallbacks":
                lines += [f"  {n:6d}  {name}" for name, n in items]
                continue
            line = " "
            for name, n in items:
                if len(line) + len(name) + 10 > 118:
                    lines.append(line)
                    line = " "
                line += f" {name} {n}  "
            lines.append(line)
        return "\n".join(lines)


def _reason(message: str) -> str:
    """A warning's text without the places and names that differ between programs."""
    flat = " ".join(
        line.strip()
        for line in message.splitlines()
        if line.strip() and not set(line.strip()) <= set("^ ")
    )
    flat = re.sub(r"\S*fuzz_\w+\.py:\d+:?", "", flat)
    return re.sub(r"\d+", "#", flat)[:160].strip()
