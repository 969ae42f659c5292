"""Rondo compiles recurrent networks and runs them on CPUs.

The names are those of OpenVINO's Python API, so that `import rondo as ov` runs common programs.
NumPy is imported with this package, onnx only when something needs it.
"""

import importlib as _importlib
from collections.abc import Mapping as _Mapping

from rondo._rondo import (
    AsyncInferQueue,
    CancelledError,
    CompiledModel,
    ConstOutput,
    Core,
    Dimension,
    Error,
    InferRequest,
    InternalError,
    KernelInfo,
    Model,
    ModelError,
    Node,
    OVDict,
    OutOfMemoryError,
    PartialShape,
    ProfilingInfo,
    QueueFullError,
    Shape,
    StateSearch,
    Stream,
    StreamPool,
    StreamPoolStats,
    StreamStep,
    Tensor,
    TraceSlice,
    Type,
    UnsupportedError,
    VariableState,
    Version,
    get_version,
    save_model,
    serialize,
)

__version__ = get_version()

Output = ConstOutput
_Mapping.register(OVDict)


def compile_model(model, device_name="AUTO", config=None):
    """Reads and compiles a model with a Core of its own."""
    return Core().compile_model(model, device_name, config)


def convert_model(input_model):
    """Reads a model; OpenVINO's name for what Core.read_model() does."""
    return Core().read_model(input_model)


def make_stateful(model, pairs=None):
    """Returns a copy of the model that keeps its states; a path or bytes are read first.

    pairs: {input: output} or a list of pairs of an input and the output that is its next value.
    None finds them, or else the layers that start from zeros.
    """
    model = model.clone() if isinstance(model, Model) else Core().read_model(model)
    model.make_stateful(pairs)
    return model


def __getattr__(name):
    if name in ("backend", "properties", "trace"):
        return _importlib.import_module(f"rondo.{name}")
    raise AttributeError(f"module 'rondo' has no attribute '{name}'")


__all__ = [
    "AsyncInferQueue",
    "CancelledError",
    "CompiledModel",
    "ConstOutput",
    "Core",
    "Dimension",
    "Error",
    "InferRequest",
    "InternalError",
    "KernelInfo",
    "Model",
    "ModelError",
    "Node",
    "OVDict",
    "OutOfMemoryError",
    "Output",
    "PartialShape",
    "ProfilingInfo",
    "QueueFullError",
    "Shape",
    "StateSearch",
    "Stream",
    "StreamPool",
    "StreamPoolStats",
    "StreamStep",
    "Tensor",
    "TraceSlice",
    "Type",
    "UnsupportedError",
    "VariableState",
    "Version",
    "compile_model",
    "convert_model",
    "get_version",
    "make_stateful",
    "save_model",
    "serialize",
]
