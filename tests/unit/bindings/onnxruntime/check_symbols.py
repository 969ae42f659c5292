#!/usr/bin/env python3
"""Checks that the plugin for onnxruntime exports its three functions and nothing else."""

import argparse
import subprocess
import sys

EXPORTED = {"CreateEpFactories", "ReleaseEpFactory", "RegisterCustomOps"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--nm", default="nm")
    given = parser.parse_args()
    lines = subprocess.run([given.nm, "-D", "--defined-only", given.library], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    names = {line.split()[-1] for line in lines}
    for name in sorted(names - EXPORTED):
        print(f"{given.library}: exports '{name}'")
    for name in sorted(EXPORTED - names):
        print(f"{given.library}: doesn't export '{name}'")
    return 0 if names == EXPORTED else 1


if __name__ == "__main__":
    sys.exit(main())
