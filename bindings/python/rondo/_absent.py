"""What OpenVINO's classes have and Rondo's haven't: how to do it here."""

from rondo._rondo import (CompiledModel, ConstOutput, Core, Dimension, InferRequest, Model, Node, Output,
                          Tensor, Type)
from rondo._layout import Layout
from rondo._types import Input

_OF_THE_MODEL = "Model.get_rt_info() has the model's; CompiledModel.kernels names the kernels"
_REBUILT = "Model(results, sinks, parameters) makes another model of the nodes"
_VARIABLES = "`rondo info` lists them, InferRequest.query_state() has their values"
_FIXED = "ops are made with what they read; rondo.opset15 and its like make others"
_NOT_KEPT = "Model.set_rt_info() sets the model's"
_NO_SYMBOLS = "extents have bounds, but no symbols"
_NO_TEXTS = "tensors hold numbers; texts are for the program to look up"
_LAYOUTS = "rondo.preprocess.PrePostProcessor takes layouts"

_ABSENT = {
    ConstOutput: {
        "get_rt_info": _OF_THE_MODEL,
        "get_target_inputs": "CompiledModel.get_runtime_model() has what reads it",
        "rt_info": _OF_THE_MODEL,
        "target_inputs": "CompiledModel.get_runtime_model() has what reads it",
    },
    Core: {
        "add_extension": "ops can't be added from outside; a model's own ONNX functions are read",
        "create_context": "there are no devices with memory of their own",
        "get_default_context": "there are no devices with memory of their own",
        "register_plugins": "register_plugin() loads one",
        "unload_plugin": "devices live as long as their Core",
    },
    CompiledModel: {
        "query_state": "a request has the states: create_infer_request().query_state()",
        "release_memory": "a compiled model's memory is freed with its last request",
        "reset_state": "a request has the states: create_infer_request().reset_state()",
        "set_property": "properties are given to Core.compile_model()",
    },
    InferRequest: {
        "inputs": "model_inputs has the ports, input_tensors the tensors",
        "outputs": "model_outputs has the ports, output_tensors the tensors",
    },
    Layout: {
        "scalar": "Layout(\"\") is that of a tensor without axes",
    },
    Model: {
        "add_sinks": _REBUILT,
        "add_variables": _REBUILT,
        "evaluate": "compile_model(model, 'REFERENCE') computes node by node",
        "get_sink_index": "Model.get_sinks() is a list",
        "get_variable_by_id": _VARIABLES,
        "get_variables": _VARIABLES,
        "remove_sink": _REBUILT,
        "remove_variable": _REBUILT,
        "replace_parameter": _REBUILT,
        "validate_nodes_and_infer_types": "types and shapes are always inferred",
        "variables": _VARIABLES,
    },
    Node: {
        "constructor_validate_and_infer_types": "types and shapes are always inferred",
        "evaluate": "compile_model(model, 'REFERENCE') computes node by node",
        "get_input_tensor": "Node.input_value() has the names, the type and the shape",
        "get_instance_id": "a node's name is its own in a model",
        "get_layout": _LAYOUTS,
        "get_output_tensor": "Node.output() has the names, the type and the shape",
        "get_rt_info": _OF_THE_MODEL,
        "layout": _LAYOUTS,
        "rt_info": _OF_THE_MODEL,
        "set_argument": _FIXED,
        "set_arguments": _FIXED,
        "set_attribute": _FIXED,
        "set_element_type": "rondo.preprocess.PrePostProcessor changes types",
        "set_layout": _LAYOUTS,
        "set_output_size": _FIXED,
        "set_output_type": _FIXED,
        "set_partial_shape": "Model.reshape() changes shapes",
        "set_rt_info": _NOT_KEPT,
        "validate_and_infer_types": "types and shapes are always inferred",
        "visit_attributes": "Node.get_attributes() is a dict",
    },
    Input: {
        "get_rt_info": _OF_THE_MODEL,
        "replace_source_output": _FIXED,
        "rt_info": _OF_THE_MODEL,
        "set_rt_info": _NOT_KEPT,
    },
    Output: {
        "get_rt_info": _OF_THE_MODEL,
        "get_target_inputs": "Model.get_ops() and Node.input_values() show what reads it",
        "remove_target_input": _FIXED,
        "replace": _FIXED,
        "rt_info": _OF_THE_MODEL,
        "set_rt_info": _NOT_KEPT,
        "target_inputs": "Model.get_ops() and Node.input_values() show what reads it",
    },
    Dimension: {
        "get_symbol": _NO_SYMBOLS,
        "has_symbol": _NO_SYMBOLS,
        "set_symbol": _NO_SYMBOLS,
    },
    Tensor: {
        "bytes_data": _NO_TEXTS,
        "str_data": _NO_TEXTS,
    },
}
# The same of Type, where programs ask the class.
_ABSENT_TYPES = {
    "merge": "Type.compatible() says whether both are the same, or one is dynamic",
    "nf4": "numbers of 4 bits are i4, u4 and f4e2m1",
    "string": _NO_TEXTS,
    "u1": "bits are elements of the type boolean",
    "u3": "small integers are i4, u4, i2 and u2",
    "u6": "small integers are i4, u4, i2 and u2",
}


class _AbsentType:
    """Says why Type lacks a name, where the class is asked for it."""

    def __init__(self, name, reason):
        self._name, self._reason = name, reason

    def __get__(self, instance, owner):
        raise AttributeError(f"type object 'Type' has no attribute '{self._name}': {self._reason}")


def _explained(owner, reasons):
    def __getattr__(self, name):
        reason = f": {reasons[name]}" if name in reasons else ""
        error = AttributeError(f"'{owner.__name__}' has no attribute '{name}'{reason}")
        error.name, error.obj = name, self  # Python adds what is spelled alike
        raise error
    owner.__getattr__ = __getattr__


def explain_all():
    """Makes the classes name the way where they lack a member."""
    for owner, reasons in _ABSENT.items():
        _explained(owner, reasons)
    for name, reason in _ABSENT_TYPES.items():
        setattr(Type, name, _AbsentType(name, reason))
