#!/usr/bin/env python3
"""Checks librondo.so as it ships: only the API is exported, its SONAME, its stripped
size, and what it needs."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

OURS = re.compile(r"(typeinfo for |typeinfo name for |vtable for )?rondo::|rondo_\w+$")


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def foreign_symbols(nm, library):
    """Names of defined dynamic symbols outside the API, and the number of those inside."""
    names = [line.split(" ", 2)[2] for line in
             output_of(nm, "-D", "--defined-only", "-C", library).splitlines()]
    return [name for name in names if not OURS.match(name)], len(names)


def stripped_megabytes(strip, library):
    with tempfile.TemporaryDirectory() as folder:
        small = pathlib.Path(folder) / "small.so"
        subprocess.run([strip, "-o", small, library], check=True)
        return small.stat().st_size / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--strip", default="strip")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--most-megabytes", type=float, default=5)
    parser.add_argument("--soname", required=True)
    parser.add_argument("--never-needs", metavar="TEXT", help="part of a library's name")
    given = parser.parse_args()

    faults = []
    foreign, count = foreign_symbols(given.nm, given.library)
    faults += [f"exports '{name}'" for name in foreign]
    if count < 100:
        faults.append(f"exports only {count} symbols: the API is missing")
    size = stripped_megabytes(given.strip, given.library)
    if size > given.most_megabytes:
        faults.append(f"takes {size:.2f} MB stripped; expected {given.most_megabytes} at most")
    dynamic = output_of(given.readelf, "-d", given.library)
    if f"[{given.soname}]" not in dynamic:
        faults.append(f"the SONAME is not {given.soname}")
    loaded = output_of("ldd", given.library)  # also what others need
    if given.never_needs and given.never_needs in loaded:
        faults.append(f"needs {given.never_needs}: {' '.join(loaded.split())}")
    print(f"{given.library}: {count} symbols, {size:.2f} MB stripped")
    for fault in faults:
        print(f"{given.library}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
