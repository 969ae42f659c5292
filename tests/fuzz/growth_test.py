#!/usr/bin/env python3
"""Checks that no stage takes more than its share of work with a larger model.

Usage: growth_test.py PROGRAM [FAMILY...]. Runs PROGRAM (growth_stages) under callgrind with models
of each family at two sizes, and compares the instructions of each stage.
Exit code 1 if one grows faster than by the size and its logarithm; 77 without valgrind.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FACTOR = 8  # between the sizes: a stage that compares all with all takes 64 times as long
MOST = 14.0  # n log n takes 8 to 12 times as long
LEAST = 10_000_000  # instructions that matter; freeing memory alone may take n^1.2


def counts(program, family, size):
    """The instructions of each stage."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program,
                   family, str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, "RONDO_ISA": "plain"})
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        stages = {}
        for path in pathlib.Path(folder).iterdir():
            text = path.read_text(encoding="utf-8", errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (\w+)", text, re.M)
            total = re.search(r"^(?:summary|totals): (\d+)", text, re.M)
            if name and total:
                stages[name[1]] = int(total[1])
    return stages


def faults(program, family, size):
    """Prints a line a stage; yields those that grow too fast."""
    small = counts(program, family, size)
    large = counts(program, family, size * FACTOR)
    if not small:
        sys.exit(f"{family}: callgrind has counted nothing")
    for stage, instructions in sorted(large.items()):
        ratio = instructions / max(small[stage], 1)
        line = f"{family} {stage}: {instructions:,} instructions, {ratio:.1f} times"
        print(line, flush=True)
        if ratio > MOST and instructions > LEAST:
            yield line


def main():
    if shutil.which("valgrind") is None:
        print("valgrind isn't installed")
        return 77
    program, *chosen = sys.argv[1:]
    listed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    found = []
    for line in listed.splitlines():
        family, size = line.split()
        if not chosen or family in chosen:
            found += faults(program, family, int(size))
    for line in found:
        print(f"FAULT: {line} for {FACTOR} times the size")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
