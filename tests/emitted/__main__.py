"""Compare the emitted texts with those that are kept, or write them anew for review.

python -m tests.emitted            shows the differences; exit code 1 if there are any
python -m tests.emitted --update   writes the files; read their diff before you commit it
python -m tests.emitted --json     prints all texts as one JSON object
"""

from __future__ import annotations

import argparse
import difflib
import json
import sys

from tests.emitted.texts import FOLDER, NAMES, emitted, kept


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.emitted")
    parser.add_argument("names", nargs="*", help="programs (default: all)")
    parser.add_argument("--update", action="store_true", help="write the files anew")
    parser.add_argument("--json", action="store_true", help="print the texts as JSON")
    options = parser.parse_args()
    texts = {name: emitted(name) for name in options.names or NAMES}
    if options.json:
        json.dump(texts, sys.stdout)
        return 0
    changed = 0
    for name, text in texts.items():
        path = kept(name)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if text == before:
            continue
        changed += 1
        if options.update:
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")
        else:
            lines = before.splitlines(True), text.splitlines(True)
            sys.stdout.writelines(difflib.unified_diff(*lines, f"kept/{name}", f"emitted/{name}"))
    gone = [] if options.names else [p for p in FOLDER.glob("*.py") if p.stem not in texts]
    for path in gone:
        print(f"{'removed' if options.update else 'no such program'}: {path.stem}")
        if options.update:
            path.unlink()
    return 0 if options.update else int(bool(changed or gone))


if __name__ == "__main__":
    sys.exit(main())
