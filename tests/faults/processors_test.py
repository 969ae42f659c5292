#!/usr/bin/env python3
"""Runs random models on an emulated processor that lacks instruction sets, and compares the bits with
those of this one.

Usage: processors_test.py QEMU PROCESSOR KERNELS COMMAND MODELS
QEMU emulates x86-64 in user mode; PROCESSOR, one of those that it knows, runs KERNELS; COMMAND is
rondo, MODELS a folder that write_random_models has filled.
"""

import pathlib
import subprocess
import sys
import unittest

SAME_BITS = pathlib.Path(__file__).resolve().parents[2] / "tools/same_bits.py"
MODELS = 6

expect = unittest.TestCase()


def main():
    qemu, processor, kernels, command, models = sys.argv[1:]
    emulated = [qemu, "-cpu", processor, command]
    version = subprocess.run([*emulated, "--version"], check=True, capture_output=True, text=True)
    expect.assertIn(f"kernels up to {kernels};", version.stdout)
    chosen = sorted(pathlib.Path(models).iterdir())[:MODELS]
    subprocess.run([sys.executable, SAME_BITS, command, " ".join(emulated), *chosen], check=True)


if __name__ == "__main__":
    main()
