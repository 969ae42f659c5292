"""What idioms give, as plain values, so that those of Rondo and of OpenVINO can be compared."""

import ast
import re

import numpy as np

MADE_UP = re.compile(r"[A-Z][A-Za-z]+_?\d+$")


def values_of(idiom, space):
    """The value of each expression and of each name that is assigned, in order."""
    values = []
    for statement in ast.parse(idiom).body:
        if isinstance(statement, ast.Expr):
            values.append(eval(compile(ast.Expression(statement.value), idiom, "eval"), space))
            continue
        exec(compile(ast.Module([statement], []), idiom, "exec"), space)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            values.append(space[statement.targets[0].id])
    return [plain(value) for value in values]


def plain(value):
    """Lists, texts, numbers and arrays in place of objects; other objects are their class's name."""
    if value is None or isinstance(value, (bool, int, float, np.ndarray)):
        return value
    if isinstance(value, str):
        return "made up" if MADE_UP.match(value) else str(value)
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value))
    kind = type(value).__name__
    if kind in _OBJECTS:
        return [kind, *map(plain, _OBJECTS[kind](value))]
    if hasattr(value, "items"):
        return sorted(([plain(key), plain(one)] for key, one in value.items()), key=str)
    if isinstance(value, (list, tuple)) or kind == "TensorVector":
        return [plain(one) for one in value]
    if hasattr(value, "get_type_name"):
        return _node(value)
    return kind


def _node(node):
    shapes = [str(node.get_output_partial_shape(i)) for i in range(node.get_output_size())]
    return [node.get_type_name(), plain(node.get_friendly_name()),
            [] if node.get_type_name() == "Result" else shapes]


def _port(port):
    return port.get_names(), str(port.get_partial_shape()), port.get_element_type()


_OBJECTS = {
    "CompiledModel": lambda value: (value.inputs, value.outputs),
    "ConstOutput": _port,
    "Dimension": lambda value: (str(value),),
    "Model": lambda value: (value.get_friendly_name(), value.inputs, value.outputs),
    "OVDict": lambda value: (value.to_tuple(),),
    "Output": _port,
    "PartialShape": lambda value: (str(value),),
    "Shape": lambda value: (list(value),),
    "Tensor": lambda value: (value.element_type, list(value.shape)),
    "Type": lambda value: (value.to_string(),),
}


def are_equal(one, other):
    """Whether both are the same, numbers with a small difference."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(are_equal, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return (one.dtype == other.dtype and one.shape == other.shape and
                np.allclose(one, other, rtol=1e-3, atol=1e-4))
    if isinstance(one, float) and isinstance(other, float):
        return bool(np.isclose(one, other, rtol=1e-3))
    return type(one) is type(other) and one == other
