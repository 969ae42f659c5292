"""What OpenVINO's module and classes have and Rondo's haven't: how to do it here."""

from rondo import _rondo
from rondo._openvino.layout import Layout
from rondo._openvino.types import Input

# What OpenVINO has and Rondo hasn't: how to do it here, and the names of the module and of classes
# that this is said of.
# keep-sorted
_WAYS = {
    "CompiledModel.get_runtime_model() has what reads it":
        "ConstOutput.get_target_inputs ConstOutput.target_inputs",
    "Core.read_model() reads ONNX and IR": "frontend",
    "Dimension has bounds, but no symbols": "Symbol",
    "Layout(\"\") is that of a tensor without axes": "Layout.scalar",
    "Layout.get_index_by_name() gives places": "layout_helpers",
    "Model(results, sinks, parameters) makes another model of the nodes":
        "Model.add_sinks Model.add_variables Model.remove_sink Model.remove_variable "
        "Model.replace_parameter",
    "Model.get_ops() and Node.input_values() show what reads it":
        "Output.get_target_inputs Output.target_inputs",
    "Model.get_rt_info() has the model's; CompiledModel.kernels names the kernels":
        "ConstOutput.get_rt_info ConstOutput.rt_info Input.get_rt_info Input.rt_info "
        "Node.get_rt_info Node.rt_info Output.get_rt_info Output.rt_info",
    "Model.get_sinks() is a list": "Model.get_sink_index",
    "Model.reshape() changes shapes": "Node.set_partial_shape",
    "Model.rt_info is a dict": "RTMap",
    "Model.set_rt_info() sets the model's": "Input.set_rt_info Node.set_rt_info Output.set_rt_info",
    "Node.get_attributes() is a dict": "Node.visit_attributes",
    "Node.input_value() has the names, the type and the shape": "Node.get_input_tensor",
    "Node.output() has the names, the type and the shape": "Node.get_output_tensor",
    "Type.compatible() says whether both are the same, or one is dynamic": "Type.merge",
    "`rondo compile` and Core.compile_model() run all passes": "passes",
    "`rondo info` lists them, InferRequest.query_state() has their values":
        "Model.get_variable_by_id Model.get_variables Model.variables",
    "a compiled model's memory is freed with its last request": "CompiledModel.release_memory",
    "a node's name is its own in a model": "Node.get_instance_id",
    "a request has the states: create_infer_request().query_state()": "CompiledModel.query_state",
    "a request has the states: create_infer_request().reset_state()": "CompiledModel.reset_state",
    "bits are elements of the type boolean": "Type.u1",
    "compile_model(model, 'REFERENCE') computes node by node": "Model.evaluate Node.evaluate",
    "devices and their threads end with the program": "shutdown",
    "devices live as long as their Core": "Core.unload_plugin",
    "errors are rondo.Error and its kinds": "exceptions",
    "extents have bounds, but no symbols":
        "Dimension.get_symbol Dimension.has_symbol Dimension.set_symbol",
    "its names are in rondo itself": "runtime",
    "lists and tuples are taken": "AxisSet AxisVector Coordinate CoordinateDiff Strides",
    "lists of Tensor are taken": "TensorVector",
    "ml_dtypes has types of 4 and 8 bits for NumPy, which Tensor takes": "helpers",
    "model_inputs has the ports, input_tensors the tensors": "InferRequest.inputs",
    "model_outputs has the ports, output_tensors the tensors": "InferRequest.outputs",
    "no name of it is needed": "package_utils",
    "numbers of 4 bits are i4, u4 and f4e2m1": "Type.nf4",
    "ops are made with what they read; rondo.opset15 and its like make others":
        "Input.replace_source_output Node.set_argument Node.set_arguments Node.set_attribute "
        "Node.set_output_size Node.set_output_type Output.remove_target_input Output.replace",
    "ops can't be added from outside; a model's own ONNX functions are read":
        "Core.add_extension Extension Op OpExtension",
    "ov.Tensor(numpy.memmap(...), shared_memory=True)": "tensor_from_file",
    "properties are given to Core.compile_model()": "CompiledModel.set_property",
    "register_plugin() loads one": "Core.register_plugins",
    "rondo.Model, rondo.rondo1 and `rondo compile` have what there is": "experimental",
    "rondo.make_stateful() and Model.apply_low_latency() make variables":
        "_offline_transformations",
    "rondo.opset15 and its like make nodes": "op",
    "rondo.opset15 and its like take numbers and arrays as they are": "utils",
    "rondo.preprocess.PrePostProcessor changes types": "Node.set_element_type",
    "rondo.preprocess.PrePostProcessor takes layouts":
        "Node.get_layout Node.layout Node.set_layout",
    "rondo.properties.device has the names of a device's properties": "device",
    "rondo.properties.hint has the goals": "hint",
    "small integers are i4, u4, i2 and u2": "Type.u3 Type.u6",
    "tensors hold numbers; texts are for the program to look up":
        "Tensor.bytes_data Tensor.str_data Type.string",
    "the command `rondo benchmark` has benchmark_app's flags": "tools",
    "the shapes of Model.inputs have the batch, `rondo info --rows` says where": "get_batch",
    "there are no devices with memory of their own":
        "Core.create_context Core.get_default_context RemoteContext RemoteTensor VAContext "
        "VASurfaceTensor",
    "there are opset1 to opset16, and rondo1": "opset",
    "types and shapes are always inferred":
        "Model.validate_nodes_and_infer_types Node.constructor_validate_and_infer_types "
        "Node.validate_and_infer_types",
    "values are Python's own": "OVAny",
}


def _names_of(owner):
    """{name: way} of a class, or of the module, which is ""."""
    names = ((*name.rpartition("."), way) for way, names in _WAYS.items() for name in names.split())
    return {name: way for its_owner, _, name, way in names if its_owner == owner}


class _AbsentType:
    """Says why Type lacks a name, where the class is asked for it."""

    def __init__(self, name, reason):
        self._name, self._reason = name, reason

    def __get__(self, instance, owner):
        raise AttributeError(f"type object 'Type' has no attribute '{self._name}': {self._reason}")


def explainer(module, reasons):
    """A module's __getattr__, which says why a name of OpenVINO's isn't there."""
    def __getattr__(name):
        reason = reasons.get(name) or reasons.get(name.rstrip("0123456789"))
        because = f": {reason}" if reason else ""
        raise AttributeError(f"module '{module}' has no attribute '{name}'{because}")
    return __getattr__


def _explained(owner, reasons):
    def __getattr__(self, name):
        reason = f": {reasons[name]}" if name in reasons else ""
        error = AttributeError(f"'{owner.__name__}' has no attribute '{name}'{reason}")
        error.name, error.obj = name, self  # Python adds what is written alike
        raise error
    owner.__getattr__ = __getattr__


OF_RONDO = _names_of("")


def explain_all():
    """Makes the classes name the way where they lack a member."""
    classes = [*vars(_rondo).values(), Layout, Input]
    for owner in classes:
        ways = _names_of(owner.__name__) if isinstance(owner, type) else {}
        if owner is _rondo.Type:  # programs ask the class
            for name, way in ways.items():
                setattr(owner, name, _AbsentType(name, way))
        elif ways:
            _explained(owner, ways)
