#!/usr/bin/env python3
"""Checks that exercise.c calls every function that the C headers declare.

Usage: check_complete.py INCLUDE_FOLDER EXERCISE
"""

import pathlib
import re
import sys

DECLARATION = re.compile(r"RONDO_C_API\b[^;(]*?\b(rondo_\w+)\s*\(")


def main(folder, exercise):
    headers = "".join(path.read_text() for path in sorted(pathlib.Path(folder).rglob("*.h")))
    declared = set(DECLARATION.findall(headers))
    called = set(re.findall(r"\b(rondo_\w+)\s*\(", pathlib.Path(exercise).read_text()))
    missing = sorted(declared - called)
    for name in missing:
        print(f"{exercise} doesn't call {name}()")
    print(f"{len(declared)} functions declared, {len(missing)} never called")
    return 1 if missing or len(declared) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
