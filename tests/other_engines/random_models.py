#!/usr/bin/env python3
"""Runs a peer on random models whose right answers Rondo's reference has written.

Usage: random_models.py [--peer onnxruntime|openvino] FOLDER
FOLDER is what write_random_models has written:
  ninja -C build/release write_random_models
  build/release/tests/random/write_random_models models 0 400
  python3 tests/other_engines/random_models.py models
Prints a line for each difference, and how many models the peer refuses for each reason that is
known. Exit code 1 if there is any difference, crash or other refusal, 77 where the peer or NumPy
is not installed.
"""

import argparse
import collections
import importlib
import json
import pathlib
import re
import sys

from child_lines import lines_of_child

TOLERANCE = 2e-4
HALF_TOLERANCE = 5e-3  # a few roundings to f16

# Why a peer refuses a valid model: a part of its message, and the reason in a few words.
REFUSALS = {
    "onnxruntime": [
        (r"NOT_IMPLEMENTED|not implemented|Could not find an implementation", "no such kernel"),
        (r"layout == 0|[Ll]ayout.*not supported|Batchwise recurrent", "recurrent layers, layout 1"),
        (r"opset \d+ is under development|only \*guarantees\* support", "an opset that is too new"),
        (r"is not a registered function/op", "no such operator"),
        (r"is invalid\.$|Type '.*' of input parameter", "no such type of the operator"),
    ],
    "openvino": [
        (r"not supported|[Uu]nsupported|OpConversionFailure|No conversion rule", "not supported"),
        (r"GatherElements.*equal or intersecting", "GatherElements of fewer rows than the data has"),
        (r"Convert(LSTM|GRU|RNN)SequenceToTensorIterator", "recurrent layers within its own passes"),
        (r"fake_quantize.cpp", "scales along the last axis"),
    ],
}


# Operators that a peer is known to compute otherwise, and what it does.
KNOWN_WRONG = {
    "onnxruntime": {
        "Bernoulli": "draws 1 with the probability of 0",
        "QLinearSoftmax": "rounds by a table, up to a step away",
    },
    "openvino": {
        "Bernoulli": "draws other numbers, even where they are certain",
    },
}

# With N or T of 0, peers refuse nodes, end the process (docs/measurements/conformance.md), or leave
# what was in memory as the final states of recurrent layers.
RECURRENT = {"LSTM", "GRU", "RNN"}
EMPTY = "runs without elements"


class Refusal(Exception):
    """The peer doesn't load the model."""


def difference(actual, expected, tolerance=TOLERANCE):
    """The first difference in a line; empty where there is none."""
    import numpy

    # Joined from no iteration: a runtime may know extents that only an iteration would decide.
    if actual.size == expected.size == 0 and actual.ndim == expected.ndim:
        return ""
    if actual.shape != expected.shape:
        return f"has shape {actual.shape}; expected {expected.shape}"
    if expected.dtype.kind in "iub":
        wrong = numpy.argwhere(actual != expected)
        if not len(wrong):
            return ""
        at = tuple(wrong[0])
        return f"differs in {len(wrong)} integers: {actual[at]}; expected {expected[at]}"
    actual = actual.astype(numpy.float64)
    expected = expected.astype(numpy.float64)
    with numpy.errstate(invalid="ignore"):
        error = numpy.array(numpy.abs(actual - expected))
    error[(actual == expected) | (numpy.isnan(actual) & numpy.isnan(expected))] = 0
    error[numpy.isnan(error)] = numpy.inf
    if not numpy.any(error > tolerance * numpy.maximum(1, numpy.abs(expected))):
        return ""
    return f"differs by {error.max():.3g}"


class OnnxRuntime:
    """The model in onnxruntime: without its optimiser where that breaks the model, which it prints."""

    def __init__(self, path, optimises=True):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        if not optimises:
            level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            options.graph_optimization_level = level
        try:
            self.session = onnxruntime.InferenceSession(str(path), options,
                                                        providers=["CPUExecutionProvider"])
            return
        except Exception as error:  # whatever it throws: its optimiser may have built a wrong node
            first = error
        if not optimises:
            raise Refusal(str(first))
        self.session = OnnxRuntime(path, False).session
        print(f"{path.parent.name}: loaded without optimiser, with which onnxruntime says: "
              f"{' '.join(str(first).split())}")

    def run(self, outputs, feeds):
        wanted = {node.name for node in self.session.get_inputs()}
        return self.session.run(outputs, {k: v for k, v in feeds.items() if k in wanted})


class OpenVino:
    """The model in OpenVINO, in f32. With one thread, a node that fails would end no inference:
    outputs would be memory that was never written."""

    def __init__(self, path):
        import openvino

        core = openvino.Core()
        try:
            self.model = core.compile_model(core.read_model(str(path)), "CPU",
                                            {"INFERENCE_PRECISION_HINT": "f32",
                                             "INFERENCE_NUM_THREADS": 2})
        except Exception as error:
            raise Refusal(str(error)) from error

    def run(self, outputs, feeds):
        import numpy

        wanted = {name for node in self.model.inputs for name in node.names}
        request = self.model.create_infer_request()
        request.infer({k: v for k, v in feeds.items() if k in wanted})
        return [numpy.array(request.get_tensor(name).data) for name in outputs]


PEERS = {"onnxruntime": OnnxRuntime, "openvino": OpenVino}


def run_faults(folder, about, session, run, tolerance=TOLERANCE):
    """A line for each output of one run that differs, or for its error."""
    import numpy

    load = lambda name: numpy.load(folder / f"run_{run}" / f"{name}.npy")
    feeds = {name: load(name) for name in about["inputs"]}
    try:
        actual = session.run(about["outputs"], feeds)
    except Exception as error:  # whatever the peer throws
        return [f"run {run}: {' '.join(str(error).split())}"]
    texts = [(name, difference(value, load(name), tolerance))
             for name, value in zip(about["outputs"], actual)]
    return [f"run {run}, output '{name}' {text}" for name, text in texts if text]


def known_reason(folder, about, peer, run, faults):
    """Why a run has faults, where that is known."""
    for name, what in KNOWN_WRONG[peer].items():
        if name in about["operators"]:
            return f"{name} {what}"
    are_errors = not any(", output '" in fault for fault in faults)
    if is_empty_run(folder, about, run) and (are_errors or RECURRENT & set(about["operators"])):
        return EMPTY
    if about["has_f16"]:
        session = PEERS[peer](folder / "model.onnx")
        if not run_faults(folder, about, session, run, HALF_TOLERANCE):
            return "f16 is computed in f32, and rounded later or never"
    if peer == "onnxruntime":
        plain = OnnxRuntime(folder / "model.onnx", optimises=False)
        if not run_faults(folder, about, plain, run):
            return "its optimiser changes the result, such as by dropping casts to float16"
    return None


def events(folder, about, peer):
    """What happens, one after another: ("fault", line), ("known", why) or ("refusal", message).
    Runs with empty inputs come last, since they may end the process."""
    try:
        session = PEERS[peer](folder / "model.onnx")
    except Refusal as error:
        yield "refusal", " ".join(str(error).split())
        return
    for run in sorted(range(about["runs"]), key=lambda run: is_empty_run(folder, about, run)):
        if is_empty_run(folder, about, run):
            yield "empty", ""
        faults = run_faults(folder, about, session, run)
        why = known_reason(folder, about, peer, run, faults) if faults else None
        if why:
            yield "known", why
        else:
            yield from (("fault", f"{folder.name}: {line}") for line in faults)
    yield "end", ""


def is_empty_run(folder, about, run):
    import numpy

    return any(numpy.load(folder / f"run_{run}" / f"{name}.npy").size == 0
               for name in about["inputs"])


def events_of_process(folder, about, peer):
    """events() of a process of its own: a crash ends it alone."""
    def write(add):
        for event in events(folder, about, peer):
            add(event)

    found = lines_of_child(write)
    last = found[-1][0] if found else ""
    if last == "empty":
        found.append(["known", EMPTY])
    elif last not in ("end", "refusal"):
        found.append(["fault", f"{folder.name}: crashed"])
    return found


def known_refusal(text, peer):
    """Why, where it is known."""
    return next((why for pattern, why in REFUSALS[peer] if re.search(pattern, text)), None)


def compare(folders, peer):
    """Prints what differs; returns how many differences there are."""
    faults, known = 0, collections.Counter()
    for folder in folders:
        about = json.loads((folder / "model.json").read_text())
        for kind, text in events_of_process(folder, about, peer):
            may_refuse = kind == "refusal" or (kind == "fault" and ", output" not in text)
            why = known_refusal(text, peer) if may_refuse else None
            if why:
                known["refused: " + why] += 1
            elif kind == "known":
                known[text] += 1
            elif kind in ("refusal", "fault"):
                print(text if kind == "fault" else f"{folder.name}: refused: {text[:400]}")
                faults += 1
    for why, count in sorted(known.items()):
        print(f"{count} times {why}")
    print(f"{len(folders)} models, {faults} differences")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=sorted(PEERS), default="onnxruntime")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        for module in ("numpy", arguments.peer):
            importlib.import_module(module)
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    folders = sorted(path.parent for path in arguments.folder.glob("*/model.json"))
    if not folders:
        print(f"no models in '{arguments.folder}'")
        return 1
    return 1 if compare(folders, arguments.peer) else 0


if __name__ == "__main__":
    sys.exit(main())
