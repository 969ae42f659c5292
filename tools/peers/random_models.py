#!/usr/bin/env python3
"""Runs onnxruntime on random models whose right answers Rondo's reference has written.

Usage: random_models.py FOLDER
FOLDER is what write_random_models has written:
  ninja -C build/release write_random_models
  build/release/tests/random/write_random_models models 0 400
  python3 tools/peers/random_models.py models
Prints a line for each difference; exit code 1 if there is any, 77 where onnxruntime or NumPy is not
installed.
"""

import json
import pathlib
import sys

TOLERANCE = 2e-4


def difference(actual, expected, tolerance=TOLERANCE):
    """The first difference in a line; empty where there is none."""
    import numpy

    # Joined from no iteration: a runtime may know extents that only an iteration would decide.
    if actual.size == expected.size == 0 and actual.ndim == expected.ndim:
        return ""
    if actual.shape != expected.shape:
        return f"has shape {actual.shape}; expected {expected.shape}"
    actual = actual.astype(numpy.float64)
    expected = expected.astype(numpy.float64)
    error = numpy.array(numpy.abs(actual - expected))
    error[numpy.isnan(actual) & numpy.isnan(expected)] = 0
    error[numpy.isnan(error)] = numpy.inf
    if not numpy.any(error > tolerance * numpy.maximum(1, numpy.abs(expected))):
        return ""
    return f"differs by {error.max():.3g}"


def load_session(path):
    """The model in onnxruntime: without its optimiser where that breaks the model, which it prints."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    providers = ["CPUExecutionProvider"]
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # whatever it throws: its optimiser may have built a wrong node
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(str(path), options, providers=providers)
        print(f"{path.parent.name}: loaded without optimiser, with which onnxruntime says: "
              f"{' '.join(str(error).split())}")
        return session


def differences(folder):
    """A line for each output of each run that onnxruntime computes otherwise."""
    import numpy

    about = json.loads((folder / "model.json").read_text())
    session = load_session(folder / "model.onnx")
    wanted = {node.name for node in session.get_inputs()}
    for run in range(about["runs"]):
        load = lambda name: numpy.load(folder / f"run_{run}" / f"{name}.npy")
        feeds = {name: load(name) for name in about["inputs"] if name in wanted}
        for name, actual in zip(about["outputs"], session.run(about["outputs"], feeds)):
            text = difference(actual, load(name))
            if text:
                yield f"{folder.name}: run {run}, output '{name}' {text}"


def main():
    if len(sys.argv) != 2 or sys.argv[1] == "--help":
        print(__doc__)
        return 0 if "--help" in sys.argv else 1
    try:
        import numpy  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    folders = sorted(path.parent for path in pathlib.Path(sys.argv[1]).glob("*/model.json"))
    if not folders:
        print(f"no models in '{sys.argv[1]}'")
        return 1
    faults = []
    for folder in folders:
        try:
            faults += differences(folder)
        except Exception as error:  # whatever onnxruntime throws, it refuses the model
            faults.append(f"{folder.name}: {' '.join(str(error).split())}")
    print("\n".join(faults))
    print(f"{len(folders)} models, {len(faults)} differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
