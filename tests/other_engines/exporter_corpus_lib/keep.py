"""Keeps a model of the corpus as a fixture of the tests: its file, and what onnxruntime makes of it."""

import re

import numpy

from exporter_corpus_lib import check


def without_notes(message):
    """Drops what exporters note of the machine that they ran on: stack traces and the like."""
    for field, value in message.ListFields():
        if field.name in ("doc_string", "metadata_props"):
            message.ClearField(field.name)
        elif field.message_type is not None:
            for one in value if field.is_repeated else [value]:
                without_notes(one)


def array_file(folder, number, kind, name):
    return folder / f"case{number}_{kind}_{re.sub('[^A-Za-z0-9_.-]', '_', name)}.npy"


def keep(case, folder):
    """Writes model.onnx and ref/*.npy below folder/name; returns the bytes of the model."""
    import onnx

    model = onnx.load(case.model)
    without_notes(model)
    references = folder / case.name / "ref"
    references.mkdir(parents=True, exist_ok=True)
    data = model.SerializeToString(deterministic=True)
    (references.parent / "model.onnx").write_bytes(data)
    weights = {weight.name for weight in model.graph.initializer}
    inputs = [value.name for value in model.graph.input if value.name not in weights]
    outputs = [value.name for value in model.graph.output]
    for number, (arrays, results) in enumerate(zip(case.runs(), check.expected_outputs(case))):
        for name in inputs:
            numpy.save(array_file(references, number, "in", name), arrays[name])
        for name, result in zip(outputs, results):
            numpy.save(array_file(references, number, "out", name), result)
    return len(data)
