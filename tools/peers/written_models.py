#!/usr/bin/env python3
"""Checks ONNX models that Rondo has written: onnx.checker, and onnxruntime beside the original.

Usage: written_models.py RONDO FOLDER [--external-data]
RONDO is the command; FOLDER holds models as write_random_models writes them (model.onnx, model.json,
run_*/), or folders with model.onnx and ref/case*_{in,out}_*.npy. Each model.onnx is compiled to ONNX;
the file is checked and run, and its outputs are compared with the right ones.
  ninja -C build/release rondo write_random_models
  build/release/tests/random/write_random_models models 0 400
  python3 tools/peers/written_models.py build/release/bin/rondo models
With --external-data the larger constants lie in a file beside it. Prints a line for each difference, for each model that Rondo refuses to write and for each one with an
operator that onnxruntime lacks; exit code 1 if there is a difference, 77 where onnx, onnxruntime or NumPy is not installed.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import random_models


def cases_of(folder, session):
    """(name, feeds, right outputs) of each run whose inputs the folder has."""
    import numpy

    names = [node.name for node in session.get_inputs()]
    outputs = [node.name for node in session.get_outputs()]
    about = folder / "model.json"
    if about.exists():
        count = json.loads(about.read_text())["runs"]
        for number in range(count):
            load = lambda name: numpy.load(folder / f"run_{number}" / f"{name}.npy")
            yield (f"run {number}", {name: load(name) for name in names},
                   {name: load(name) for name in outputs})
        return
    plain = lambda name: re.sub(r"[^A-Za-z0-9_.-]", "_", name)
    number = 0
    while (folder / "ref" / f"case{number}_out_{plain(outputs[0])}.npy").exists():
        load = lambda kind, name: numpy.load(
            folder / "ref" / f"case{number}_{kind}_{plain(name)}.npy")
        yield (f"case {number}", {name: load("in", name) for name in names},
               {name: load("out", name) for name in outputs})
        number += 1


def open_session(path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def one_line(error):
    return " ".join(str(error).split())[:400]


def judge(command, folder, file, options):
    """(verdict, text): "same", "differs", "refused", "invalid", "lacking" or "not run"."""
    import onnx

    done = subprocess.run([command, "compile", str(folder / "model.onnx"), "-o", str(file), *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "refused", one_line(done.stderr)
    try:
        onnx.checker.check_model(str(file), full_check=True)
    except Exception as error:  # whatever the checker throws
        return "invalid", one_line(error)
    try:
        session = open_session(file)
    except Exception as error:
        lacks = "NOT_IMPLEMENTED" in str(error)  # an operator, or its version of this opset
        return "lacking" if lacks else "not run", one_line(error)
    try:
        return compare(folder, session)
    except Exception as error:
        return "not run", one_line(error)


def tolerance_of(folder):
    """Models that compute in 8 or 16 bits say how far apart right answers may be."""
    manifest = folder / "ref" / "manifest.json"
    found = re.search(r'"loose_atol": ([0-9.e-]+)', manifest.read_text()) if manifest.exists() else None
    return float(found[1]) if found else random_models.TOLERANCE


def compare(folder, session):
    runs = 0
    tolerance = tolerance_of(folder)
    for name, feeds, right in cases_of(folder, session):
        runs += 1
        for (output, expected), actual in zip(right.items(), session.run(list(right), feeds)):
            text = random_models.difference(actual, expected, tolerance)
            if text:
                return "differs", f"{name}, output '{output}' {text}"
    return ("same", f"{runs} runs") if runs else ("not run", "there are no inputs")


def main():
    options = [option for option in sys.argv[1:] if option == "--external-data"]
    arguments = [argument for argument in sys.argv[1:] if argument not in options]
    if len(arguments) != 2:
        print(__doc__)
        return 0 if "--help" in sys.argv else 1
    try:
        import numpy  # noqa: F401
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    folders = sorted(path.parent for path in pathlib.Path(arguments[1]).glob("*/model.onnx"))
    verdicts = collections.Counter()
    with tempfile.TemporaryDirectory() as place:
        for folder in folders:
            file = pathlib.Path(place) / "written.onnx"
            verdict, text = judge(arguments[0], folder, file, options)
            verdicts[verdict] += 1
            if verdict != "same":
                print(f"{folder.name}: {verdict}: {text}")
    print(f"{len(folders)} models: " +
          ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items())))
    return 1 if not folders or set(verdicts) - {"same", "refused", "lacking"} else 0


if __name__ == "__main__":
    sys.exit(main())
