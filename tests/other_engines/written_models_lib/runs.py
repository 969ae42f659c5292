"""Reads the runs that come with a model: inputs and right outputs."""

import dataclasses
import json
import re


@dataclasses.dataclass
class Run:
    name: str
    feeds: dict
    right: dict

    @property
    def is_empty(self):
        """Whether an input has no element."""
        return any(array.size == 0 for array in self.feeds.values())


class Files:
    """Arrays in files: run_*/ of write_random_models, or ref/case*_{in,out}_*.npy."""

    def __init__(self, folder):
        self.folder = folder

    def file(self, number, kind, name):
        if (self.folder / "model.json").exists():
            return self.folder / f"run_{number}" / f"{name}.npy"
        plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
        return self.folder / "ref" / f"case{number}_{kind}_{plain}.npy"

    def has(self, kind, name):
        return self.file(0, kind, name).exists()

    def cases(self, inputs, outputs):
        """Those whose inputs are there."""
        import numpy

        number = 0
        while self.file(number, "out", outputs[0]).exists():
            load = lambda kind, name: numpy.load(self.file(number, kind, name))
            yield Run(f"run {number}", {name: load("in", name) for name in inputs},
                      {name: load("out", name) for name in outputs})
            number += 1


class Exported:
    """A model of exporter_corpus.py: onnxruntime computes what is right."""

    def __init__(self, folder):
        import onnx

        from exporter_corpus_lib import case

        self.case = case.Case(folder)
        graph = onnx.load(self.case.model, load_external_data=False).graph
        self.names = {"in": {value.name for value in graph.input},
                      "out": [value.name for value in graph.output]}

    def has(self, kind, name):
        return name in self.names[kind]

    def cases(self, inputs, outputs):
        from exporter_corpus_lib import check

        results = check.expected_outputs(self.case)
        for number, (feeds, right) in enumerate(zip(self.case.runs(), results)):
            right = dict(zip(self.names["out"], right))
            yield Run(f"run {number}", {name: feeds[name] for name in inputs},
                      {name: right[name] for name in outputs})


def recorded(folder):
    return Exported(folder) if (folder / "case.json").exists() else Files(folder)


def known_name(folder, kind, names):
    """Of several names of one input or output ("in", "out"), the one that has arrays."""
    found = [name for name in names if recorded(folder).has(kind, name)]
    if not found:
        raise ValueError(f"no array of {sorted(names)}")
    return found[0]


def about(folder):
    """What write_random_models says of the model; nothing of others."""
    path = folder / "model.json"
    return json.loads(path.read_text()) if path.exists() else {}
