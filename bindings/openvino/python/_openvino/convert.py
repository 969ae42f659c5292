"""Converting models and opening their batch, under OpenVINO's names."""

# mypy: ignore-errors
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rondo._openvino.nodes import is_number
from rondo._rondo import Core, Model, PartialShape, Type, UnsupportedError

if TYPE_CHECKING:
    from rondo import _Extent, _Model


def set_batch(model: Model, batch_size: _Extent = -1) -> None:
    """Gives the batch of all inputs that extent: Model.set_batch()."""
    model.set_batch(batch_size)


def _is_extent(value):
    """A number, a Dimension, or a pair of bounds."""
    return (is_number(value) or hasattr(value, "min_length") or
            isinstance(value, tuple) and len(value) == 2 and all(map(is_number, value)))


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
    """Parts between commas that are outside of brackets."""
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


def convert_model(input_model: _Model, *, input: Any = None, output: Any = None,
                  example_input: Any = None, extension: Any = None, verbose: bool = False,
                  share_weights: bool = True) -> Model:
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
