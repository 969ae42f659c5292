"""What tests/conformance/write_cases.cpp has written: models, inputs and right answers."""

import json
import pathlib

import numpy

# Beyond the tolerance, but no other function: a computation in fewer bits.
FEWER_BITS = {"f64": 2e-5, "f32": 2e-4, "f16": 3e-2, "bf16": 2e-1}


class Case:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.about = json.loads((self.folder / "case.json").read_text())

    def __getattr__(self, name):
        return self.about.get(name)

    @property
    def name(self):
        return self.folder.name

    @property
    def type(self):
        return next(tag for tag in self.about["tags"] if tag in FEWER_BITS)

    def model(self):
        return str(self.folder / "model.onnx")

    def load(self, name):
        return numpy.load(self.folder / f"{name}.npy")

    def inputs(self):
        return {entry["name"]: (entry["type"], self.load(entry["name"]))
                for entry in self.about["inputs"]}

    def judge(self, outcome):
        """(verdict, why): yes, inexact, WRONG, refused or crashed."""
        kind, result = outcome
        if self.must_fail:
            return ("yes", result) if kind == "refused" else ("WRONG", "no error")
        if kind != "ran":
            return kind, result
        worst = 0.0
        for name, actual in zip(self.about["outputs"], result):
            expected = self.load(name)
            if actual.shape != expected.shape:
                return "WRONG", f"{name} has shape {actual.shape}; expected {expected.shape}"
            worst = max(worst, self.excess(actual, expected))
        if worst <= 0:
            return "yes", ""
        verdict = "inexact" if worst <= FEWER_BITS[self.type] else "WRONG"
        return verdict, f"off by {worst:.1e}"

    def excess(self, actual, expected):
        """The largest error where one is beyond the tolerance, else 0."""
        with numpy.errstate(invalid="ignore"):
            error = numpy.abs(actual - expected)
        error[(actual == expected) | (numpy.isnan(actual) & numpy.isnan(expected))] = 0
        error[numpy.isnan(error)] = numpy.inf
        allowed = self.absolute + self.relative * numpy.abs(expected)
        return float(numpy.max(error[error > allowed], initial=0.0))


def load_cases(folder):
    """In order of their names, seeds by number."""
    folders = [path.parent for path in pathlib.Path(folder).glob("*/case.json")]
    return sorted((Case(path) for path in folders),
                  key=lambda case: (case.seed or 0, case.row or 0, case.name))
