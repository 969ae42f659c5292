#!/usr/bin/env python3
"""Checks that exercise*.c call every function that the C headers declare.

Usage: check_complete.py INCLUDE_FOLDER EXERCISE_FOLDER
"""

import pathlib
import re
import sys

DECLARATION = re.compile(r"RONDO_C_API\b[^;(]*?\b(rondo_\w+)\s*\(")


def main(folder, exercise):
    headers = "".join(path.read_text() for path in sorted(pathlib.Path(folder).rglob("*.h")))
    declared = set(DECLARATION.findall(headers))
    program = "".join(path.read_text() for path in sorted(pathlib.Path(exercise).glob("exercise*.c")))
    called = set(re.findall(r"\b(rondo_\w+)\s*\(", program))
    missing = sorted(declared - called)
    for name in missing:
        print(f"the exercise doesn't call {name}()")
    print(f"{len(declared)} functions declared, {len(missing)} never called")
    return 1 if missing or len(declared) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
