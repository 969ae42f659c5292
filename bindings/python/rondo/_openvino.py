"""Names of OpenVINO's that are written in Python: conversion, export, rt_info, more outputs."""

from collections.abc import Mapping

from rondo._ir import IrModel, Place, join_names, split_names
from rondo._rondo import (CompiledModel, Core, Model, ModelError, Node, Output, PartialShape,
                          Type, UnsupportedError)


def _export_model(self, model_stream=None):
    """The compiled model as bytes, for Core.import_model(): the graph after the passes, its weights.

    Hints and switches are kept, but not numbers of threads and streams. model_stream: a binary file
    that the bytes are written to, instead of returning them; it is then at its start.
    """
    data = self._export_model()
    if model_stream is None:
        return data
    model_stream.write(data)
    model_stream.flush()
    model_stream.seek(0)
    return None


def _import_model(self, model_stream, device_name="CPU", config=None):
    """Compiles what CompiledModel.export_model() gave: bytes or a binary file.

    config: properties that replace those that the model was compiled with. Raises ModelError where
    the bytes are no such model.
    """
    data = model_stream.read() if hasattr(model_stream, "read") else bytes(model_stream)
    return self._import_model(data, device_name, config)


def _query_model(self, model, device_name="CPU", properties=None):
    """{node name: device} of all nodes if the device compiles the model, else {}.

    Rondo runs a model on one device. Why it can't, compile_model() says.
    """
    try:
        compiled = self.compile_model(model, device_name, properties)
    except UnsupportedError:
        return {}
    device = compiled.get_property("EXECUTION_DEVICES")[0]
    return {node.friendly_name: device for node in model.get_ops()}


def _nested(facts):
    """{"a/b": value} as {"a": {"b": value}}; a value that has others below it is left out."""
    tree = {}
    for path, value in sorted(facts.items(), key=lambda fact: fact[0].split("/")):
        *parents, last = path.split("/")
        place = tree
        for name in parents:
            if not isinstance(place.get(name), dict):
                place[name] = {}
            place = place[name]
        place[last] = value
    return tree


def _path_from(path):
    return [path] if isinstance(path, str) else list(path)


def _get_rt_info(self, path=None):
    """What the model says of itself: a dict of texts and dicts, or the value at a path.

    path: a name or a list of names. Raises ModelError where there is nothing.
    """
    found = _nested(self._rt_info())
    for name in _path_from(path or []):
        if not isinstance(found, dict) or name not in found:
            raise ModelError(f"the model's rt_info has no {path!r}")
        found = found[name]
    return found


def _has_rt_info(self, path):
    """Whether rt_info has a value at a path."""
    try:
        self.get_rt_info(path)
    except ModelError:
        return False
    return True


def _set_rt_info(self, obj, path):
    """Sets a value of rt_info, as text; save_model() writes it. path: a name or a list of names.

    A dict sets the values below the path; those that it doesn't name stay.
    """
    if isinstance(obj, Mapping):
        for name, value in obj.items():
            self.set_rt_info(value, [*_path_from(path), name])
        return
    self._set_rt_info("/".join(_path_from(path)), str(obj))


def _layer_and_port(ir, key):
    """The layer and its port that a text, a pair, a Node or an Output means; None without one."""
    if isinstance(key, Output):
        node = key.get_node()
        key = (node.friendly_name, node.outputs().index(key))
    if isinstance(key, Node):
        key = key.friendly_name
    if isinstance(key, tuple) and len(key) == 2 and _is_number(key[1]):
        return _port_of(ir, ir.by_name(key[0]), key[1])
    for layer in ir.layers:
        for port in layer.findall("output/port"):
            if key in split_names(port.get("names", "")):
                return layer, port
    return _port_of(ir, ir.by_name(key), 0)


def _port_of(ir, layer, number):
    """The layer and its output of that number; what it reads where it is a Result."""
    if layer is None:
        return None
    if layer.get("type") == "Result":
        return ir.start_of(ir.source_of(layer))
    ports = layer.findall("output/port")
    return (layer, ports[number]) if 0 <= number < len(ports) else None


def _output_number(ir, key):
    """The number of the output that a key means, which is added where there is none."""
    found = _layer_and_port(ir, key)
    if found is None:
        raise ModelError(f"add_outputs: the model has no tensor or node {key!r}; "
                         "get_ops() lists the nodes")
    layer, port = found
    place = Place(layer, port.get("id"), Type.f32, [dim.text for dim in port.findall("dim")])
    readers = {edge.get("to-layer") for edge in ir.readers(place)}
    results = ir.of_type("Result")
    for number, result in enumerate(results):
        if result.get("id") in readers:
            return number
    if not port.get("names"):
        number = layer.findall("output/port").index(port)
        port.set("names", join_names([f"{layer.get('name')}:{number}" if number else
                                      layer.get("name")]))
    ir.result(place)
    return len(results)


def _add_outputs(self, outputs):
    """Adds outputs; returns their ports. A tensor that is an output already stays the same one.

    outputs: one or a list of: the name of a tensor or a node, a Node or Output, or a pair of a node's
    name and the number of its output. Raises ModelError where there is no such one.
    """
    ir = IrModel(self)
    several = list(outputs) if isinstance(outputs, (list, set)) else [outputs]
    numbers = [_output_number(ir, key) for key in several]
    if len(ir.of_type("Result")) > len(self.outputs):
        ir.apply()
    return [self.outputs[number] for number in numbers]


def set_batch(model, batch_size=-1):
    """Gives the batch of all inputs that extent: Model.set_batch()."""
    model.set_batch(batch_size)


def _is_number(value):
    return not isinstance(value, type) and hasattr(value, "__index__")


def _is_extent(value):
    """A number, a Dimension, or a pair of bounds."""
    return (_is_number(value) or hasattr(value, "min_length") or
            isinstance(value, tuple) and len(value) == 2 and all(map(_is_number, value)))


def _is_shape(value):
    return isinstance(value, PartialShape) or (isinstance(value, (list, tuple)) and
                                               all(map(_is_extent, value)))


def _read_request(value):
    """(name or None, shape or None, type or None) of one entry of convert_model's `input`."""
    name = shape = element_type = None
    if _is_shape(value):
        return None, value, None
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, str) and name is None:
            name = part
            if part.endswith("]") and "[" in part:
                name, _, extents = part[:-1].partition("[")
                shape = PartialShape(extents)
        elif _is_shape(part):
            shape = part
        else:
            element_type = Type(part)
    return name, shape, element_type


def _requests(given):
    if isinstance(given, dict):
        return [(name, *_read_request(value)[1:]) for name, value in given.items()]
    if isinstance(given, str):
        return [_read_request(part) for part in _split(given)]
    if isinstance(given, tuple) or (_is_shape(given) and not _are_shapes(given)):
        return [_read_request(given)]
    return [_read_request(one) for one in given]


def _are_shapes(given):
    """Whether a list holds shapes by position: pairs of bounds would look the same."""
    return isinstance(given, list) and bool(given) and all(isinstance(one, tuple) for one in given)


def _split(text):
    """Parts between commas that stand outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _apply_requests(model, requests):
    shapes = {}
    for index, (name, shape, element_type) in enumerate(requests):
        port = model.input(index if name is None else name)
        if element_type is not None and element_type != port.element_type:
            raise UnsupportedError(
                f"convert_model: input '{port.any_name}' is {port.element_type}, not "
                f"{element_type}; rondo.preprocess.PrePostProcessor changes types")
        if shape is not None:
            shapes[port.any_name] = shape
    if shapes:
        model.reshape(shapes)


def convert_model(input_model, *, input=None, output=None, example_input=None, extension=None,
                  verbose=False, share_weights=True):
    """Reads a model; OpenVINO's name for what Core.read_model() does.

    input: shapes of inputs: {name: shape}, a list of shapes by position or of (name, shape) pairs,
    or a text such as "x[1,10,80],h[1,64]". Raises UnsupportedError for models of other frameworks,
    and for `output`, `extension` and `example_input`.
    """
    refused = {"output": output, "extension": extension, "example_input": example_input}
    for name, value in refused.items():
        if value is not None:
            raise UnsupportedError(f"convert_model: '{name}' isn't supported; export with "
                                   "torch.onnx.export() or tf2onnx, and read the file")
    if type(input_model).__module__.partition(".")[0] in ("torch", "tensorflow", "keras", "paddle"):
        raise UnsupportedError(f"convert_model: Rondo reads no {type(input_model).__name__} in "
                               "memory; write it by torch.onnx.export() or tf2onnx, and read the "
                               "file")
    model = Core().read_model(input_model)
    if input is not None:
        _apply_requests(model, _requests(input))
    return model


def _add_methods():
    methods = {
        CompiledModel: {"export_model": _export_model},
        Core: {"import_model": _import_model, "query_model": _query_model},
        Model: {"add_outputs": _add_outputs, "get_rt_info": _get_rt_info,
                "has_rt_info": _has_rt_info, "set_rt_info": _set_rt_info},
    }
    for owner, added in methods.items():
        for name, function in added.items():
            function.__name__ = name
            function.__qualname__ = f"{owner.__name__}.{name}"
            setattr(owner, name, function)


_add_methods()
