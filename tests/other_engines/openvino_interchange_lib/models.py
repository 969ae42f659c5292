"""The models that travel: real ones with reference outputs beside them, and random ones."""

import dataclasses
import json
import pathlib

import numpy

from openvino_interchange_lib import random_recurrent


@dataclasses.dataclass
class Case:
    """A model, the feeds of its runs, and the states that come out under another name."""

    name: str
    path: pathlib.Path
    runs: list
    pairs: dict


def close(actual, expected, tolerance=1e-4):
    """The first difference in a few words; empty where there is none."""
    if len(actual) != len(expected):
        return f"{len(actual)} outputs instead of {len(expected)}"
    for number, (one, other) in enumerate(zip(actual, expected)):
        if one.shape != other.shape:
            return f"output {number} has shape {one.shape}, expected {other.shape}"
        error = numpy.abs(one.astype("f8") - other.astype("f8"))
        if not numpy.all(error <= tolerance * (1 + numpy.abs(other.astype("f8")))):
            return f"output {number} is off by {numpy.nanmax(error):.3g}"
    return ""


def distance(actual, expected):
    """The greatest difference in all runs and outputs."""
    return max(float(numpy.abs(one.astype("f8") - other.astype("f8")).max(initial=0))
               for run, right in zip(actual, expected) for one, other in zip(run, right))


def real_case(folder):
    about = json.loads((folder / "ref" / "manifest.json").read_text())
    load = lambda entry: numpy.load(folder / "ref" / entry["file"])
    runs = [{name: load(entry) for name, entry in case["inputs"].items()}
            for case in about["cases"]]
    return Case(folder.name, folder / about["model"], runs, state_pairs(about["cases"]))


def state_pairs(cases):
    """{input: output} of floats with the same shape in all runs, one of which holds the name of the
    other: h and hn, state and stateN, hidden and hidden_out."""
    pairs = {}
    for name, entry in cases[0]["inputs"].items():
        for out in cases[0]["outputs"]:
            belongs = name in out or out in name or name.replace("in", "out") == out
            fits = all(case["outputs"][out]["shape"] == case["inputs"][name]["shape"] and
                       case["inputs"][name]["dtype"] == "float32" for case in cases)
            if belongs and fits and len(entry["shape"]) > 1 and out not in pairs.values():
                pairs[name] = out
                break
    return pairs


def real_cases(folder):
    return [real_case(path.parent.parent)
            for path in sorted(folder.glob("*/ref/manifest.json"))]


def random_cases(count, first, folder):
    cases = []
    for seed in range(first, first + count):
        model = random_recurrent.RandomModel(seed)
        pairs = {} if model.layout else model.pairs
        cases.append(Case(model.name, model.save(folder), model.runs, pairs))
    return cases
