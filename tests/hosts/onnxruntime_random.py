#!/usr/bin/env python3
"""Runs random models through the plugin for onnxruntime, whole and in parts.

Usage: onnxruntime_random.py LIBRARY FOLDER [--rondo PACKAGES] [--least COUNT]
LIBRARY is librondo_onnxruntime_ep.so; FOLDER is what write_random_models has written (see
tests/other_engines/random_models.py). PACKAGES is the folder that holds the Python package rondo:
build/release/python. Each model is run
- whole, without onnxruntime's optimiser: the bits must be those of Rondo's own inference;
- with the options auto and recurrent: results must be as right as those of onnxruntime's own CPU
  provider, and no session may fail which works there. Nothing may be logged as an error.
Prints a line for each difference and a summary; exit code 1 if there is any, or if fewer than COUNT
runs were compared in a way; 77 where onnxruntime or NumPy is missing.
"""

import argparse
import collections
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "other_engines"))
from child_lines import lines_of_child  # noqa: E402

TOLERANCE = 2e-4
HALF_TOLERANCE = 5e-3


def load_runs(folder, about):
    import numpy

    for run in range(about["runs"]):
        load = lambda name: numpy.load(folder / f"run_{run}" / f"{name}.npy")
        yield {name: load(name) for name in about["inputs"]}, [load(name) for name in
                                                               about["outputs"]]


def session(path, provider_options, level=None, whole=False):
    """A session with the plugin; without it if there are no options. It doesn't run again without
    the plugin if that fails, as onnxruntime's Python sessions do."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4 if provider_options is None else 3
    options.intra_op_num_threads = 1
    if level is not None:
        options.graph_optimization_level = level
    if whole:
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    if provider_options is not None:
        devices = [one for one in onnxruntime.get_ep_devices()
                   if one.ep_name == "RondoExecutionProvider"]
        options.add_provider_for_devices(devices[:1], provider_options)
        return onnxruntime.InferenceSession(str(path), options, enable_fallback=0)
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"],
                                        enable_fallback=0)


def run(one, feeds):
    """The outputs, or the error as a text."""
    wanted = {node.name for node in one.get_inputs()}
    try:
        return one.run(None, {name: value for name, value in feeds.items() if name in wanted})
    except Exception as error:
        return " ".join(str(error).split())


def same_bits(one, other):
    return (one.shape == other.shape and one.dtype == other.dtype
            and one.tobytes() == other.tobytes())


def is_near(actual, expected, tolerance):
    import numpy

    if actual.shape != expected.shape:
        return actual.size == expected.size == 0 and actual.ndim == expected.ndim
    if expected.dtype.kind in "iub":
        return bool(numpy.all(actual == expected))
    actual, expected = actual.astype("f8"), expected.astype("f8")
    with numpy.errstate(invalid="ignore"):
        error = numpy.abs(actual - expected)
        good = (error <= tolerance * numpy.maximum(1, numpy.abs(expected)))
    return bool(numpy.all(good | (actual == expected)
                          | (numpy.isnan(actual) & numpy.isnan(expected))))


def whole_faults(folder, about, rondo, counts):
    import onnxruntime

    path = folder / "model.onnx"
    level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        one = session(path, {"partition": "whole", "num_threads": "1"}, level, whole=True)
    except Exception as error:
        text = " ".join(str(error).split())
        try:
            session(path, None, level)
        except Exception:
            counts["onnxruntime doesn't load it"] += 1
            return
        counts["not whole"] += 1
        if "fallback" not in text:
            yield f"whole: {text[:300]}"
        return
    counts["whole"] += 1
    compiled = rondo.compile_model(str(path), "CPU", {"INFERENCE_NUM_THREADS": "1"})
    for feeds, _ in load_runs(folder, about):
        counts["whole: runs"] += 1
        own = compiled(feeds)
        results = run(one, feeds)
        if isinstance(results, str):
            yield f"whole: {results[:300]}"
            continue
        for node, value in zip(one.get_outputs(), results):
            if not same_bits(value, own[node.name]):
                yield f"whole: output '{node.name}' isn't Rondo's own"


def part_faults(folder, about, partition, counts):
    path = folder / "model.onnx"
    try:
        cpu = session(path, None)
    except Exception:
        counts["the CPU provider doesn't load it"] += 1
        return
    try:
        one = session(path, {"partition": partition, "num_threads": "1"})
    except Exception as error:
        yield f"{partition}: {' '.join(str(error).split())[:300]}"
        return
    tolerance = HALF_TOLERANCE if about["has_f16"] else TOLERANCE
    for feeds, expected in load_runs(folder, about):
        if any(value.size == 0 for value in feeds.values()):
            counts["runs without elements"] += 1  # the CPU provider may end the process
            continue
        results = run(one, feeds)
        order = [node.name for node in one.get_outputs()]
        right = [expected[about["outputs"].index(name)] for name in order]
        good = not isinstance(results, str) and all(
            is_near(value, truth, tolerance) for value, truth in zip(results, right))
        counts[f"{partition}: runs"] += 1
        if good:
            continue
        theirs = run(cpu, feeds)
        if isinstance(theirs, str) or not all(
                is_near(value, truth, tolerance) for value, truth in zip(theirs, right)):
            counts[f"{partition}: the CPU provider isn't right either"] += 1
            continue
        what = results[:300] if isinstance(results, str) else "results differ"
        yield f"{partition}: {what}"


def check_models(library, folders, packages, add):
    """Adds (faults, counts) for each model."""
    sys.path.insert(0, packages)
    import onnxruntime
    import rondo

    onnxruntime.register_execution_provider_library("rondo", library)
    for folder in folders:
        about = json.loads((folder / "model.json").read_text())
        counts = collections.Counter()
        faults = list(whole_faults(folder, about, rondo, counts))
        for partition in ("auto", "recurrent"):
            faults += part_faults(folder, about, partition, counts)
        add([faults, counts])


def loads_without_plugin(folder):
    """Whether onnxruntime alone survives the model."""
    program = ("import sys, onnxruntime as ort\n"
               "ort.set_default_logger_severity(4)\n"
               "try: ort.InferenceSession(sys.argv[1], providers=['CPUExecutionProvider'])\n"
               "except Exception: pass\n")
    return subprocess.run([sys.executable, "-c", program, folder / "model.onnx"], check=False,
                          stderr=subprocess.DEVNULL).returncode >= 0


def in_process(library, folders, packages):
    """Yields (folder, faults, counts); a crash ends the process of a few models alone."""
    if not folders:
        return
    log = tempfile.TemporaryFile(mode="w+")
    found = lines_of_child(lambda add: check_models(library, folders, packages, add), log)
    for folder, (faults, counts) in zip(folders, found):
        yield folder, faults, counts
    log.seek(0)
    # A session that may not fall back says so where a node is left, and so do onnxruntime's own
    # kernels that refuse their inputs.
    errors = [line for line in log if ("[E:" in line or "rror" in line)
              and "fallback to CPU EP has been explicitly disabled" not in line
              and not ("ExecuteKernel" in line and "RondoExecutionProvider" not in line)]
    if errors:
        yield folders[0], [f"logged near it: {line.strip()[:300]}" for line in errors[:3]], {}
    if len(found) < len(folders):
        crashes_alone = not loads_without_plugin(folders[len(found)])
        yield folders[len(found)], [] if crashes_alone else ["crashed"], \
            {"onnxruntime itself crashes": 1} if crashes_alone else {}
        yield from in_process(library, folders[len(found) + 1:], packages)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rondo", default="build/release/python", metavar="PACKAGES")
    parser.add_argument("--least", type=int, default=1, metavar="COUNT")
    given = parser.parse_args()
    for package in ("numpy", "onnxruntime"):  # the children import them
        if importlib.util.find_spec(package) is None:
            print(f"skipped: there is no {package}")
            return 77
    folders = sorted(path.parent for path in given.folder.glob("*/model.json"))
    if not folders:
        print(f"no models in '{given.folder}'")
        return 1
    total, count = collections.Counter(), 0
    for begin in range(0, len(folders), 20):
        for folder, faults, counts in in_process(given.library, folders[begin:begin + 20],
                                                 given.rondo):
            total.update(counts)
            count += len(faults)
            for fault in faults:
                print(f"{folder.name}: {fault}", flush=True)
    for what, times in sorted(total.items()):
        print(f"{times} times {what}")
    print(f"{len(folders)} models, {count} differences")
    fewest = min(total[f"{way}: runs"] for way in ("whole", "auto", "recurrent"))
    if fewest < given.least:
        print(f"only {fewest} runs were compared in a way; expected {given.least}")
    return 1 if count or fewest < given.least else 0


if __name__ == "__main__":
    sys.exit(main())
