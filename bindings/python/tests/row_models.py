"""A model over rows of any lengths, and rows for it."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIZE = 4  # of a step; units


def lstm(with_lengths):
    """Bytes of x f32[N,T,4] (, steps i32[N]) -> y f32[N,T,4], h f32[N,4]: an LSTM."""
    random = np.random.default_rng(5)

    def weights(name, *shape):
        return numpy_helper.from_array(random.uniform(-0.5, 0.5, shape).astype(np.float32), name)

    names = ["x", "W", "R", "", "steps" if with_lengths else ""]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", "T", SIZE])]
    if with_lengths:
        inputs.append(helper.make_tensor_value_info("steps", TensorProto.INT32, ["N"]))
    graph = helper.make_graph(
        [helper.make_node("LSTM", names, ["all", "last"], hidden_size=SIZE, layout=1),
         helper.make_node("Squeeze", ["all", "two"], ["y"]),
         helper.make_node("Squeeze", ["last", "one"], ["h"])],
        "lstm", inputs,
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", "T", SIZE]),
         helper.make_tensor_value_info("h", TensorProto.FLOAT, ["N", SIZE])],
        [weights("W", 1, 4 * SIZE, SIZE), weights("R", 1, 4 * SIZE, SIZE),
         numpy_helper.from_array(np.array([2]), "two"),
         numpy_helper.from_array(np.array([1]), "one")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    return model.SerializeToString()


def rows(lengths):
    """A row f32[T,4] for each T."""
    random = np.random.default_rng(3)
    return [random.standard_normal((steps, SIZE)).astype(np.float32) for steps in lengths]
