"""Writes small ONNX models without the onnx package: just the protobuf fields that they need.

Field numbers are those of onnx.proto: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

import dataclasses

import numpy as np

IR_VERSION = 8
OPSET = 17
ELEMENT_TYPES = {"float32": 1, "int32": 6, "int64": 7, "bool": 9}
INT, STRING, GRAPH, INTS = 2, 3, 5, 7  # AttributeProto.AttributeType


@dataclasses.dataclass
class Graph:
    """`constants`: name -> array; `inputs`, `outputs`: (name, dtype, shape) each."""
    nodes: list
    constants: dict
    inputs: list
    outputs: list


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def block(field, content):
    """A string, bytes or an inner message."""
    data = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(data)) + data


class Beside:
    """The content of a file beside the model, which takes the elements of its tensors."""

    ALIGNMENT = 4096

    def __init__(self, name):
        self.name = name
        self.content = bytearray()

    def put(self, data):
        """The fields of a tensor whose elements are `data`."""
        self.content += bytes(-len(self.content) % self.ALIGNMENT)
        facts = {"location": self.name, "offset": len(self.content), "length": len(data)}
        self.content += data
        entries = (block(1, key) + block(2, str(value)) for key, value in facts.items())
        return b"".join(block(13, entry) for entry in entries) + number(14, 1)


def tensor(name, array, beside=None):
    """Its elements lie in the message, or in `beside` if that isn't None and they are many."""
    dims = b"".join(number(1, extent) for extent in array.shape)
    kind = number(2, ELEMENT_TYPES[array.dtype.name])
    data = np.ascontiguousarray(array).tobytes()
    is_beside = beside is not None and len(data) >= 1024
    return dims + kind + block(8, name) + (beside.put(data) if is_beside else block(9, data))


def attribute(name, value):
    if isinstance(value, str):
        return block(1, name) + block(4, value) + number(20, STRING)
    if isinstance(value, Graph):
        return block(1, name) + block(6, graph(value, name)) + number(20, GRAPH)
    if isinstance(value, int):
        return block(1, name) + number(3, value % 2**64) + number(20, INT)
    return block(1, name) + b"".join(number(8, item) for item in value) + number(20, INTS)


def node(kind, inputs, outputs, **attributes):
    return (b"".join(block(1, name) for name in inputs) +
            b"".join(block(2, name) for name in outputs) + block(3, outputs[0]) + block(4, kind) +
            b"".join(block(5, attribute(*item)) for item in attributes.items()))


def value_info(name, dtype, shape):
    dims = b"".join(block(1, number(1, extent)) for extent in shape)
    kind = number(1, ELEMENT_TYPES[np.dtype(dtype).name]) + block(2, dims)
    return block(1, name) + block(2, block(1, kind))


def graph(content, name, beside=None):
    return (b"".join(block(1, item) for item in content.nodes) + block(2, name) +
            b"".join(block(5, tensor(*item, beside)) for item in content.constants.items()) +
            b"".join(block(11, value_info(*item)) for item in content.inputs) +
            b"".join(block(12, value_info(*item)) for item in content.outputs))


def model(nodes, constants, inputs, outputs, beside=None):
    """As the fields of Graph. `beside`: takes the elements of constants, if it isn't None."""
    opset = block(1, "") + number(2, OPSET)
    whole = graph(Graph(nodes, constants, inputs, outputs), "bench", beside)
    return number(1, IR_VERSION) + block(7, whole) + block(8, opset)
