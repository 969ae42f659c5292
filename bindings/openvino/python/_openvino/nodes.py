"""Nodes that functions make of arrays and numbers: what all ops have in common."""

import itertools

import numpy

from rondo._rondo import (ConstOutput, Dimension, ModelError, Node, Output, PartialShape, Shape,
                          Tensor, Type, _make_constant, _make_node)

_numbers = itertools.count(1)


def new_name(kind):
    """A name for a node that wasn't given one."""
    return f"{kind}_{next(_numbers)}"


def is_number(value):
    """Whether it is a whole number, of Python or of NumPy."""
    return not isinstance(value, type) and hasattr(value, "__index__")


def as_text(value):
    """An attribute as the IR writes it."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (Type, type, numpy.dtype)):
        return str(Type(value))
    if isinstance(value, (PartialShape, Shape, Dimension)):
        return str(value).strip("[]")
    if isinstance(value, (list, tuple, set, numpy.ndarray)):
        return ",".join(as_text(one) for one in value)
    return str(value)


def constant(value, dtype=None, shared_memory=False, name=None):
    """Const: the elements of an array, a list, a number or a Tensor.

    dtype: their type; that of the array without it. The memory of an array is shared where
    shared_memory says so and the array has that type, else copied.
    """
    if not isinstance(value, Tensor):
        element_type = Type(numpy.asarray(value).dtype if dtype is None else dtype)
        array = numpy.ascontiguousarray(value, element_type.to_dtype()).reshape(numpy.shape(value))
        value = Tensor(array, shared_memory=shared_memory)
    elif dtype is not None and value.element_type != Type(dtype):
        raise ModelError(f"constant: the tensor is {value.element_type}, not {Type(dtype)}")
    return _make_constant(value, name or new_name("Const"))


def parameter(shape, dtype=numpy.float32, name=None):
    """Parameter: an input of a model. Extents of the shape may be open: -1."""
    texts = [("shape", as_text(PartialShape(shape))), ("element_type", str(Type(dtype)))]
    return _make_node("Parameter", "opset1", name or new_name("Parameter"), [], texts)


def result(data, name=None):
    """Result: an output of a model. Model() makes those that aren't there.

    name: the output's, too, unless what is read has names or is an input.
    """
    source = as_output(data)
    port = source if isinstance(source, Output) else source.output(0)
    return _make_node("Result", "opset1", name or f"{port.node.name}/sink_port_{port.index}", [source],
                      [])


def as_output(value, element_type=None):
    """The output that a value means: a Node, an Output, or elements of a new constant.

    element_type: that of numbers which have none of their own.
    """
    value = value.as_node() if hasattr(value, "as_node") else value
    if isinstance(value, (Node, Output)):
        return value
    if isinstance(value, ConstOutput):
        raise TypeError(f"{value!r} belongs to a compiled model, not to a graph")
    has_type = isinstance(value, (Tensor, numpy.ndarray, numpy.generic))
    return constant(value, None if has_type else element_type)


def type_of(value):
    """The element type that a value brings with it; None for Python's numbers."""
    value = value.as_node() if hasattr(value, "as_node") else value
    if isinstance(value, (Node, Output)):
        found = (value.output(0) if isinstance(value, Node) else value).element_type
        return None if found.is_dynamic() else found
    if isinstance(value, Tensor):
        return value.element_type
    return Type(value.dtype) if isinstance(value, (numpy.ndarray, numpy.generic)) else None
