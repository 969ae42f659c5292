#!/usr/bin/env python3
"""Checks that no installed file names the folders that it was built in, so that a build elsewhere
gives the same bytes.

Usage: no_paths.py PREFIX... --path FOLDER [--path FOLDER]
"""

import argparse
import pathlib
import re
import sys


def faults(prefix, paths):
    """A text for each file that names one of the paths."""
    files = [path for path in pathlib.Path(prefix).rglob("*")
             if path.is_file() and not path.is_symlink()]
    if not files:
        yield f"{prefix}: no files are installed there"
    for path in files:
        data = path.read_bytes()
        for folder in paths:
            at = data.find(folder.encode() + b"/")
            if at >= 0:
                named = re.split(rb"[\0\n]", data[at:at + 200])[0]
                yield f"{path}: names '{named.decode(errors='replace')}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prefixes", nargs="+", metavar="PREFIX")
    parser.add_argument("--path", action="append", required=True)
    given = parser.parse_args()
    found = [fault for prefix in given.prefixes for fault in faults(prefix, given.path)]
    print("\n".join(found) or f"no build path in {' or '.join(given.prefixes)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
