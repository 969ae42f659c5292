#!/usr/bin/env python3
"""Makes detector.xml and detector.bin: an LSTM layer with the state as input and output.

Untrained (seeded weights), in place of a voice detector or denoiser of yours. Needs numpy and
onnx, and the rondo command to write the IR:

    python3 make_model.py detector.onnx && rondo compile detector.onnx -o detector.xml
"""

import sys

import numpy
from onnx import TensorProto, helper, numpy_helper, save

I, H = 16, 24  # samples a frame; LSTM units


def main(path):
    random = numpy.random.default_rng(7)

    def weights(name, *shape):
        values = random.uniform(-0.4, 0.4, shape).astype(numpy.float32)
        return numpy_helper.from_array(values, name)

    def port(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    graph = helper.make_graph(
        [
            # layout=1: batch first
            helper.make_node("LSTM", ["audio", "W", "R", "B", "", "h", "c"], ["y", "h_out", "c_out"],
                             hidden_size=H, layout=1),
            helper.make_node("Squeeze", ["y", "direction"], ["features"]),
            helper.make_node("MatMul", ["features", "V"], ["logits"]),
            helper.make_node("Sigmoid", ["logits"], ["score"]),
        ],
        "detector",
        [port("audio", 1, "T", I), port("h", 1, 1, H), port("c", 1, 1, H)],
        [port("score", 1, "T", 1), port("h_out", 1, 1, H), port("c_out", 1, 1, H)],
        [weights("W", 1, 4 * H, I), weights("R", 1, 4 * H, H), weights("B", 1, 8 * H),
         weights("V", H, 1), numpy_helper.from_array(numpy.array([2], numpy.int64), "direction")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    save(model, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
