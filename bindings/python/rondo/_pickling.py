"""Models as bytes for pickle, and so for pools of processes."""

# mypy: ignore-errors
from __future__ import annotations

import pathlib
import tempfile
from typing import Any

from rondo._rondo import CompiledModel, Core, Model, save_model


def model_from(xml, weights):
    """The Model of an IR's bytes."""
    return Core().read_model(xml, weights)


def reduce_model(model: Model) -> tuple[Any, ...]:
    """A Model's __reduce__: its IR. What reading an ONNX file has fixed, the IR keeps fixed."""
    with tempfile.TemporaryDirectory(prefix="rondo-") as folder:
        path = pathlib.Path(folder, "model.xml")
        save_model(model, path)
        return model_from, (path.read_bytes(), path.with_suffix(".bin").read_bytes())


def compiled_from(data, device):
    """The CompiledModel of CompiledModel.export_model()'s bytes."""
    return Core().import_model(data, device)


def reduce_compiled(compiled: CompiledModel) -> tuple[Any, ...]:
    """A CompiledModel's __reduce__. Where it is loaded, it gets that machine's threads and kernels."""
    return compiled_from, (compiled.export_model(), compiled.get_property("EXECUTION_DEVICES")[0])


Model.__reduce__ = reduce_model
CompiledModel.__reduce__ = reduce_compiled
