"""Rondo compiles recurrent networks and runs them on CPUs.

The names are those of OpenVINO's Python API, so that `import rondo as ov` runs common programs.
NumPy is imported with this package, onnx only when something needs it.
"""

import importlib as _importlib
from collections.abc import Mapping as _Mapping

from rondo import _interpreter

_interpreter.check_main()

from rondo import _absent, _drawing, _members  # noqa: E402, F401
from rondo._rondo import (  # noqa: E402
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
    LayerQuantization,
    Metrics,
    Model,
    ModelError,
    Node,
    OVDict,
    OutOfMemoryError,
    Output,
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
    _version,
    get_version,
    quantize,
    save_model,
    serialize,
    set_log_callback,
)

_interpreter.check_gil()  # the extension module enables the lock where it may

# They need the classes above.
from rondo._layout import Layout  # noqa: E402
from rondo._openvino import convert_model, set_batch  # noqa: E402
from rondo._ops import OPSETS as _OPSETS  # noqa: E402
from rondo._types import DiscreteTypeInfo, Input  # noqa: E402

__version__ = _version

_Mapping.register(OVDict)
Model._repr_html_ = _drawing.to_html
Model._repr_svg_ = _drawing.to_svg
_absent.explain_all()


def compile_model(model, device_name="AUTO", config=None):
    """Reads and compiles a model with a Core of its own: Core.compile_model()."""
    return Core().compile_model(model, device_name, config)


def make_stateful(model, pairs=None):
    """Returns a copy of the model that keeps its states; a path or bytes are read first.

    pairs: {input: output} or a list of pairs of an input and the output that is its next value.
    None finds them, or else the layers that start from zeros.
    """
    model = model.clone() if isinstance(model, Model) else Core().read_model(model)
    model.make_stateful(pairs)
    return model


def __getattr__(name):
    if name in ("backend", "preprocess", "properties", "trace"):
        return _importlib.import_module(f"rondo.{name}")
    if name in _OPSETS:
        return _OPSETS[name]
    reason = _ABSENT.get(name.rstrip("0123456789"), "")
    raise AttributeError(f"module 'rondo' has no attribute '{name}'{reason}")


# What OpenVINO has and Rondo hasn't: how to do it here.
_ABSENT = {
    "AxisSet": ": lists and tuples are taken",
    "AxisVector": ": lists and tuples are taken",
    "Coordinate": ": lists and tuples are taken",
    "CoordinateDiff": ": lists and tuples are taken",
    "Extension": ": ops can't be added from outside; a model's own ONNX functions are read",
    "OVAny": ": values are Python's own",
    "Op": ": ops can't be added from outside; a model's own ONNX functions are read",
    "OpExtension": ": ops can't be added from outside; a model's own ONNX functions are read",
    "RTMap": ": Model.rt_info is a dict",
    "RemoteContext": ": there are no devices with memory of their own",
    "RemoteTensor": ": there are no devices with memory of their own",
    "Strides": ": lists and tuples are taken",
    "Symbol": ": Dimension has bounds, but no symbols",
    "TensorVector": ": lists of Tensor are taken",
    "VAContext": ": there are no devices with memory of their own",
    "VASurfaceTensor": ": there are no devices with memory of their own",
    "_offline_transformations": ": rondo.make_stateful() and Model.apply_low_latency() make variables",
    "device": ": rondo.properties.device has the names of a device's properties",
    "exceptions": ": errors are rondo.Error and its kinds",
    "experimental": ": rondo.Model, rondo.rondo1 and `rondo compile` have what there is",
    "frontend": ": Core.read_model() reads ONNX and IR",
    "get_batch": ": the shapes of Model.inputs have the batch, `rondo info --rows` says where",
    "helpers": ": ml_dtypes has types of 4 and 8 bits for NumPy, which Tensor takes",
    "hint": ": rondo.properties.hint has the goals",
    "layout_helpers": ": Layout.get_index_by_name() gives places",
    "op": ": rondo.opset15 and its like make nodes",
    "opset": ": there are opset1 to opset16, and rondo1",
    "package_utils": ": no name of it is needed",
    "passes": ": `rondo compile` and Core.compile_model() run all passes",
    "runtime": ": its names are in rondo itself",
    "shutdown": ": devices and their threads end with the program",
    "tensor_from_file": ": ov.Tensor(numpy.memmap(...), shared_memory=True)",
    "tools": ": the command `rondo benchmark` has benchmark_app's flags",
    "utils": ": rondo.opset15 and its like take numbers and arrays as they are",
}


__all__ = [
    "AsyncInferQueue",
    "CancelledError",
    "CompiledModel",
    "ConstOutput",
    "Core",
    "Dimension",
    "DiscreteTypeInfo",
    "Error",
    "InferRequest",
    "Input",
    "InternalError",
    "KernelInfo",
    "LayerQuantization",
    "Layout",
    "Metrics",
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
    "quantize",
    "save_model",
    "serialize",
    "set_batch",
    "set_log_callback",
]
