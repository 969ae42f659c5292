#!/usr/bin/env python3
"""Checks that the C, C++ and CMake code in guides is part of an example, which tests build and run,
and that the first examples stay short.

Usage: check_guides.py EXAMPLES GUIDE...
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```(c|cpp|cmake)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_LINES = 30  # of a hello program
SOURCES = {"c": "*.c", "cpp": "*.cpp", "cmake": "CMakeLists.txt"}


def main(examples, *guides):
    faults = blocks = 0
    for guide in guides:
        for language, code in BLOCK.findall(pathlib.Path(guide).read_text()):
            blocks += 1
            if any(code in path.read_text()
                   for path in pathlib.Path(examples).rglob(SOURCES[language])):
                continue
            faults += 1
            print(f"{guide}: in no example:\n{code}")
    for path in pathlib.Path(examples).rglob("hello*.*"):
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES:
            faults += 1
            print(f"{path}: {lines} lines; expected {MOST_LINES} at most")
    print(f"{blocks} blocks of code, {faults} faults")
    return 1 if faults or not blocks else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
