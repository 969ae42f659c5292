#!/usr/bin/env python3
"""Runs models with two builds of the rondo command and compares their outputs bit by bit.

Usage: same_bits.py COMMAND_A COMMAND_B FOLDER...
A FOLDER holds model.onnx and inputs: run_*/NAME.npy with model.json (write_random_models writes such),
or ref/manifest.json with its cases (RONDO_MODELS has such). A folder without a model is searched.
Example, with x86-64 as the first and 64-bit Arm as the second:
  tools/same_bits.py build/release/bin/rondo \\
      "qemu-aarch64 -L /usr/aarch64-linux-gnu build/aarch64/bin/rondo" random_models

NaN is equal to NaN: its sign and payload are the processor's. Exit code: 0 if all outputs are equal,
1 if some differ or nothing was compared.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import numpy


def model_folders(folder):
    if (folder / "model.onnx").exists():
        return [folder]
    return sorted(path.parent for path in folder.rglob("model.onnx"))


def cases_of(folder):
    """A list of (name, {input: file}), one a run."""
    if (folder / "model.json").exists():
        about = json.loads((folder / "model.json").read_text())
        runs = [folder / f"run_{run}" for run in range(about["runs"])]
        return [(run.name, {name: run / f"{name}.npy" for name in about["inputs"]}) for run in runs]
    manifest = folder / "ref/manifest.json"
    if not manifest.exists():
        return []
    cases = json.loads(manifest.read_text())["cases"]
    return [(f"case{number}", {name: folder / "ref" / value["file"]
                               for name, value in case["inputs"].items()})
            for number, case in enumerate(cases)]


def outputs_of(command, model, inputs, folder):
    """The outputs by their files' names, or the message of a refusal."""
    arguments = [*shlex.split(command), "run", "-m", str(model), "-o", str(folder)]
    for name, path in inputs.items():
        arguments += ["-i", f"{name}={path}"]
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return result.stderr
    return {path.name: numpy.load(path) for path in sorted(pathlib.Path(folder).glob("*.npy"))}


def has_same_bits(a, b):
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    a, b = numpy.ascontiguousarray(a), numpy.ascontiguousarray(b)
    if a.dtype.kind == "f":
        nan = numpy.isnan(a)
        if not numpy.array_equal(nan, numpy.isnan(b)):
            return False
        a, b = a[~nan], b[~nan]
    return a.tobytes() == b.tobytes()


def differences(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return [] if a == b else [f"'{a if isinstance(a, str) else b}' from one of them"]
    if a.keys() != b.keys():
        return ["other outputs"]
    return [name for name in a if not has_same_bits(a[name], b[name])]


def compare(commands, folder):
    """(runs, those that differ) of one model."""
    found = []
    cases = cases_of(folder)
    for name, inputs in cases:
        with tempfile.TemporaryDirectory() as scratch:
            results = [outputs_of(command, folder / "model.onnx", inputs, os.path.join(scratch, side))
                       for side, command in zip("ab", commands)]
        found += [f"{folder.name} {name}: {what}" for what in differences(*results)]
    return len(cases), found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command_a")
    parser.add_argument("command_b")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    runs, differ = 0, []
    for top in options.folders:
        for folder in model_folders(top):
            count, found = compare((options.command_a, options.command_b), folder)
            runs += count
            differ += found
            for line in found:
                print(line, flush=True)
    print(f"{runs} runs, {len(differ)} differ")
    return 0 if runs > 0 and not differ else 1


if __name__ == "__main__":
    sys.exit(main())
