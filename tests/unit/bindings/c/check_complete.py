#!/usr/bin/env python3
"""Checks that a folder's files of a pattern name every function that the C headers declare.

Usage: check_complete.py INCLUDE_FOLDER FOLDER PATTERN
"""

import pathlib
import re
import sys

DECLARATION = re.compile(r"RONDO_C_API\b[^;(]*?\b(rondo_\w+)\s*\(")


def main(includes, folder, pattern):
    headers = "".join(path.read_text() for path in sorted(pathlib.Path(includes).rglob("*.h")))
    declared = set(DECLARATION.findall(headers))
    program = "".join(path.read_text() for path in sorted(pathlib.Path(folder).glob(pattern)))
    called = set(re.findall(r"\brondo_\w+\b", program))
    missing = sorted(declared - called)
    for name in missing:
        print(f"{folder}/{pattern} doesn't call {name}()")
    print(f"{len(declared)} functions declared, {len(missing)} never called")
    return 1 if missing or len(declared) < 50 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
