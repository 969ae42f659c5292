"""Protobuf by hand, read back field by field."""

import unittest

import support
support.need_numpy()
import numpy as np  # noqa: E402  (looked for first)
from bench_peers_lib import onnx_writer  # noqa: E402


def read_varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """{number: [values]} of a message."""
    found, at = {}, 0
    while at < len(data):
        key, at = read_varint(data, at)
        value, at = read_varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        found.setdefault(key >> 3, []).append(value)
    return found


class OnnxWriterTest(unittest.TestCase):
    def test_varints(self):
        self.assertEqual(onnx_writer.varint(0), b"\x00")
        self.assertEqual(onnx_writer.varint(300), b"\xac\x02")

    def test_a_model(self):
        node = onnx_writer.node("LSTM", ["X", "W"], ["Y"], hidden_size=300, direction="forward")
        weights = np.arange(6, dtype=np.float32).reshape(2, 3)
        model = fields(onnx_writer.model([node], {"W": weights}, [("X", np.float32, (5, 1))],
                                         [("Y", np.int64, (7,))]))
        self.assertEqual(model[1], [onnx_writer.IR_VERSION])
        self.assertEqual(fields(model[8][0])[2], [onnx_writer.OPSET])
        graph = fields(model[7][0])
        read = fields(graph[1][0])
        self.assertEqual((read[1], read[2], read[4]), ([b"X", b"W"], [b"Y"], [b"LSTM"]))
        hidden, direction = (fields(one) for one in read[5])
        self.assertEqual((hidden[1], hidden[3], hidden[20]), ([b"hidden_size"], [300], [2]))
        self.assertEqual((direction[4], direction[20]), ([b"forward"], [3]))
        constant = fields(graph[5][0])
        self.assertEqual((constant[1], constant[2]), ([2, 3], [1]))
        self.assertEqual(constant[9], [weights.tobytes()])
        kind = fields(fields(fields(graph[12][0])[2][0])[1][0])
        self.assertEqual(kind[1], [7])
        self.assertEqual([fields(extent)[1] for extent in fields(kind[2][0])[1]], [[7]])

    def test_lists_of_numbers(self):
        read = fields(onnx_writer.attribute("perm", [0, 2, 1]))
        self.assertEqual((read[8], read[20]), ([0, 2, 1], [7]))

    def test_a_body(self):
        body = onnx_writer.Graph([onnx_writer.node("Not", ["x"], ["y"], axis=-1)], {},
                                 [("x", np.bool_, ())], [("y", np.bool_, ())])
        node = fields(onnx_writer.node("Loop", ["n", "", "a"], ["b"], body=body))
        attribute = fields(node[5][0])
        self.assertEqual((attribute[1], attribute[20]), ([b"body"], [onnx_writer.GRAPH]))
        inner = fields(attribute[6][0])
        self.assertEqual(fields(inner[1][0])[4], [b"Not"])
        self.assertEqual(fields(fields(inner[1][0])[5][0])[3], [2**64 - 1])
        self.assertEqual(fields(inner[11][0])[1], [b"x"])


if __name__ == "__main__":
    support.main()
