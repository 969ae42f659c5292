"""Rondo as a backend of the ONNX project, so that onnx.backend.test drives it.

Usage: `rondo.backend.prepare(model).run([x])`, or `BackendTest(rondo.backend, __name__)`.
"""

import onnx
from onnx.backend.base import Backend, BackendRep, namedtupledict

import rondo

_DEFAULT_OPSET = 17  # of a node that comes without a model


class RondoBackendRep(BackendRep):
    """A compiled model."""

    def __init__(self, compiled):
        self._request = compiled.create_infer_request()
        names = [port.any_name for port in compiled.outputs]
        self._outputs = namedtupledict("Outputs", names)

    def run(self, inputs, **kwargs):
        """Takes inputs as a list, a dict or one array; returns a named tuple of arrays."""
        del kwargs  # the interface hands on options of other backends
        return self._outputs(*self._request.infer(inputs).to_tuple())


class RondoBackend(Backend):
    """Raises rondo.UnsupportedError, naming the cause, for what Rondo can't run."""

    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        """False for a model that Rondo doesn't support, and for other devices."""
        if not cls.supports_device(device):
            return False
        try:
            rondo.Core().compile_model(model, "CPU", _config(kwargs))
        except rondo.UnsupportedError:
            return False
        return True

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        """Compiles a model, whose run() infers. `config` in kwargs: properties to compile with."""
        _check_device(cls, device)
        return RondoBackendRep(rondo.Core().compile_model(model, "CPU", _config(kwargs)))

    @classmethod
    def run_model(cls, model, inputs, device="CPU", **kwargs):
        """The outputs of a model for inputs, as RondoBackendRep.run() gives them."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        """The outputs of a single node. `opset_version` in kwargs: that of the node's domain, 17 if it isn't given."""
        del outputs_info  # shapes and types are inferred
        opset = kwargs.pop("opset_version", _DEFAULT_OPSET)
        model = _model_of(node, inputs, opset)
        return cls.prepare(model, device, **kwargs).run(_inputs_of(node, inputs))

    @classmethod
    def supports_device(cls, device):
        """Whether the device is the CPU: "CPU", "CPU:0"."""
        return device.split(":")[0] == "CPU"


def _config(options):
    return options.get("config")


def _check_device(backend, device):
    if not backend.supports_device(device):
        raise rondo.ModelError(f"unknown device '{device}'; there are: 'CPU'")


def _inputs_of(node, inputs):
    """The inputs by name; omitted ones have no name."""
    if isinstance(inputs, dict):
        return inputs
    names = [name for name in node.input if name]
    if len(names) != len(inputs):
        got = f"{len(inputs)} input{'' if len(inputs) == 1 else 's'}"
        raise rondo.ModelError(
            f"node '{node.name}' ({node.op_type}): got {got}; expected {len(names)}")
    return dict(zip(names, inputs))


def _model_of(node, inputs, opset):
    """A model of only the node. Rondo infers its outputs' types."""
    import numpy

    values = []
    for name, value in _inputs_of(node, inputs).items():
        array = numpy.asarray(value)
        element_type = onnx.helper.make_tensor_value_info(
            name, _tensor_type(array.dtype), array.shape)
        values.append(element_type)
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
    graph = onnx.helper.make_graph([node], node.name or node.op_type, values, outputs)
    imports = [onnx.helper.make_opsetid(node.domain, opset)]
    return onnx.helper.make_model(graph, opset_imports=imports)


def _tensor_type(dtype):
    """ONNX's number of a dtype; the function moved between versions of onnx."""
    if hasattr(onnx.helper, "np_dtype_to_tensor_dtype"):
        return onnx.helper.np_dtype_to_tensor_dtype(dtype)
    return onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[dtype]


is_compatible = RondoBackend.is_compatible
prepare = RondoBackend.prepare
run_model = RondoBackend.run_model
run_node = RondoBackend.run_node
supports_device = RondoBackend.supports_device
