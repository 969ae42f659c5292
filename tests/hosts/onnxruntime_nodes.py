#!/usr/bin/env python3
"""Runs ONNX's own tests of operators through the plugin for onnxruntime.

Usage: onnxruntime_nodes.py LIBRARY [--data FOLDER] [--least COUNT]
FOLDER has a folder for each model; the default is where Debian's libonnx-testdata has them.
Each model is taken whole if Rondo can run it (partition=whole). Counts those that are, and those that
give right results, with and without the plugin; prints what is right without it and wrong with it.
Exit code 1 if there is any such, or if fewer than COUNT are taken whole and right; 77 where
onnxruntime, onnx or FOLDER is missing.
"""

import argparse
import collections
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "other_engines"))
from child_lines import lines_of_child  # noqa: E402

BATCH = 50


def right(session, folder):
    """Whether all data sets give what they should."""
    import numpy as np
    from onnx import load_tensor, numpy_helper

    for data in sorted(folder.glob("test_data_set_*")):
        load = lambda kind, i: numpy_helper.to_array(load_tensor(str(data / f"{kind}_{i}.pb")))
        feeds = {node.name: load("input", i) for i, node in enumerate(session.get_inputs())
                 if (data / f"input_{i}.pb").exists()}
        results = session.run(None, feeds)
        for i, result in enumerate(results):
            expected = load("output", i)
            if expected.dtype.kind not in "fiub" or not isinstance(result, np.ndarray):
                return None  # texts, lists, and types that NumPy lacks
            if result.shape != expected.shape:
                return False
            if not np.allclose(result.astype("f8"), expected.astype("f8"), rtol=1e-3, atol=1e-5,
                               equal_nan=True):
                return False
    return True


def outcome(folder, devices):
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        if devices:
            options.add_provider_for_devices(devices, {"partition": "whole"})
            session = ort.InferenceSession(str(folder / "model.onnx"), options, enable_fallback=0)
        else:
            session = ort.InferenceSession(str(folder / "model.onnx"), options,
                                           providers=["CPUExecutionProvider"])
        return {None: "unknown", True: "right", False: "wrong"}[right(session, folder)]
    except Exception as error:
        return f"error: {' '.join(str(error).split())[:200]}"


def is_whole(folder, devices):
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 4
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    options.add_provider_for_devices(devices, {"partition": "whole"})
    try:
        ort.InferenceSession(str(folder / "model.onnx"), options, enable_fallback=0)
        return True
    except Exception:
        return False


def run_batch(library, folders, add):
    import onnxruntime as ort

    ort.register_execution_provider_library("rondo", library)
    devices = [one for one in ort.get_ep_devices() if one.ep_name == "RondoExecutionProvider"][:1]
    for folder in folders:
        plain = outcome(folder, None)
        add([plain, ""])  # known if the next ends the process
        add([plain, outcome(folder, devices), is_whole(folder, devices)])


def rows_of(library, folders):
    """Yields (folder, without, with, whole); a crash is an outcome of its own."""
    while folders:
        lines = lines_of_child(lambda add: run_batch(library, folders[:BATCH], add))
        rows = [line for line in lines if len(line) == 3]
        yield from ((folder, *row) for folder, row in zip(folders, rows))
        done = len(rows)
        if done < len(folders[:BATCH]):
            plain = lines[-1][0] if lines and len(lines[-1]) == 2 else "crash"
            yield folders[done], plain, "crash", False
            done += 1
        folders = folders[done:]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("--data", default="/usr/share/libonnx-testdata/data/node", metavar="FOLDER")
    parser.add_argument("--least", type=int, default=1, metavar="COUNT")
    given = parser.parse_args()
    try:
        import onnx  # noqa: F401: used by functions here
        import onnxruntime
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    if not pathlib.Path(given.data).is_dir():
        print(f"skipped: there is no '{given.data}': libonnx-testdata has it")
        return 77
    folders = sorted(path.parent for path in pathlib.Path(given.data).glob("*/model.onnx"))
    counts, faults = collections.Counter(), 0
    for folder, plain, taken, whole in rows_of(given.library, folders):
        counts[f"without: {plain.split(':')[0]}, with: {taken.split(':')[0]}"] += 1
        counts["taken whole"] += whole
        counts["taken whole and right"] += whole and taken == "right"
        if plain in ("right", "unknown") and taken != plain:
            faults += 1
            print(f"{folder.name}: {taken}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count} times {what}")
    print(f"{len(folders)} models, {faults} differences")
    compared, least = counts["taken whole and right"], given.least
    if onnxruntime.__version__.startswith("1.23."):  # there whole needs a layer
        least = min(least, 20)
    if compared < least:
        print(f"only {compared} were taken whole and right; expected {least}")
    return 1 if faults or compared < least else 0


if __name__ == "__main__":
    sys.exit(main())
