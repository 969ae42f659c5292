"""Graphs built by rondo.opset15 and its like. RONDO_OV=openvino runs the same snippets there."""

import importlib
import os
import sys
import unittest

import numpy as np
import support

NAME = os.environ.get("RONDO_OV", "rondo")
IS_RONDO = NAME == "rondo"
try:
    ov = importlib.import_module(NAME)
    ops = importlib.import_module(f"{NAME}.opset15")
except ImportError:
    print(f"{NAME} is not installed")
    sys.exit(support.SKIPPED)

RANDOM = np.random.default_rng(1)


def floats(*shape):
    return RANDOM.standard_normal(shape, np.float32)


def run(model, *arrays):
    """The outputs of a model, in f32 in OpenVINO, too."""
    config = None if IS_RONDO else {"INFERENCE_PRECISION_HINT": "f32"}
    return [np.array(one) for one in ov.compile_model(model, "CPU", config)(list(arrays)).values()]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(x, h, c, w, r, b):
    """One direction; gates f, i, c, o."""
    steps = []
    for t in range(x.shape[1]):
        f, i, g, o = np.split(x[:, t] @ w.T + h @ r.T + b, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        steps.append(h)
    return np.stack(steps, axis=1), h, c


class BuildTest(unittest.TestCase):
    def test_a_perceptron(self):
        w, b = floats(4, 3), floats(4)
        x = ops.parameter([-1, 3], np.float32, name="x")
        product = ops.matmul(x, ops.constant(w), False, True)
        last = ops.relu(ops.add(product, ops.constant(b)))
        last.set_friendly_name("last")
        model = ov.Model([ops.result(last, name="y")], [x], "perceptron")
        self.assertEqual(model.get_friendly_name(), "perceptron")
        self.assertEqual(str(last.get_output_partial_shape(0)), "[?,4]")
        self.assertEqual(last.get_output_element_type(0), ov.Type.f32)
        data = floats(2, 3)
        np.testing.assert_allclose(run(model, data)[0], np.maximum(data @ w.T + b, 0), rtol=1e-5,
                                   atol=1e-6)

    def test_results_may_be_nodes_and_outputs(self):
        x = ops.parameter([4, 2], ov.Type.f32)
        parts = ops.split(x, 0, 2)
        model = ov.Model([parts.output(0), parts.output(1), ops.exp(x).output(0)], [x])
        data = floats(4, 2)
        for got, expected in zip(run(model, data), (data[:2], data[2:], np.exp(data))):
            np.testing.assert_allclose(got, expected, rtol=1e-6)

    def test_an_lstm(self):
        n, t, i, h = 2, 3, 4, 5
        w, r, b = floats(1, 4 * h, i), floats(1, 4 * h, h), floats(1, 4 * h)
        x = ops.parameter([n, t, i])
        state, cell = ops.parameter([n, 1, h]), ops.parameter([n, 1, h])
        layer = ops.lstm_sequence(x, state, cell, ops.constant(np.full(n, t, np.int32)),
                                  ops.constant(w), ops.constant(r), ops.constant(b), h, "forward")
        self.assertEqual(layer.get_output_size(), 3)
        model = ov.Model(layer.outputs(), [x, state, cell], "lstm")
        arrays = floats(n, t, i), floats(n, 1, h), floats(n, 1, h)
        y, last, last_cell = lstm(arrays[0], arrays[1][:, 0], arrays[2][:, 0], w[0], r[0], b[0])
        for got, expected in zip(run(model, *arrays), (y[:, None], last[:, None],
                                                       last_cell[:, None])):
            np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)

    def test_a_gru_and_an_rnn(self):
        n, t, i, h = 1, 2, 3, 4
        x, state = ops.parameter([n, t, i]), ops.parameter([n, 1, h])
        lengths = ops.constant(np.full(n, t, np.int32))
        gru = ops.gru_sequence(x, state, lengths, ops.constant(floats(1, 3 * h, i)),
                               ops.constant(floats(1, 3 * h, h)), ops.constant(floats(1, 4 * h)),
                               h, "reverse", linear_before_reset=True)
        rnn = ops.rnn_sequence(x, state, lengths, ops.constant(floats(1, h, i)),
                               ops.constant(floats(1, h, h)), ops.constant(floats(1, h)), h,
                               "forward", activations=["relu"])
        results = run(ov.Model([gru.output(0), rnn.output(1)], [x, state]), floats(n, t, i),
                      floats(n, 1, h))
        self.assertEqual([one.shape for one in results], [(1, 1, 2, 4), (1, 1, 4)])
        self.assertTrue((results[1] >= 0).all())

    def test_arrays_become_constants(self):
        x = ops.parameter([2, 6])
        nodes = [ops.reshape(x, [3, 4], False), ops.reduce_sum(x, [1], True),
                 ops.transpose(x, np.array([1, 0])), ops.gather(x, [5, 0], 1),
                 ops.pad(x, [0, 1], [0, 0], "constant", np.float32(7)), ops.concat([x, x], 1),
                 ops.clamp(x, -0.5, 0.5), ops.convert(x, "f16"), ops.softmax(x, 1),
                 ops.topk(x, 2, 1, "max", "value")]
        model = ov.Model([node.output(0) for node in nodes], [x])
        data = floats(2, 6)
        results = run(model, data)
        expected = [data.reshape(3, 4), data.sum(1, keepdims=True), data.T, data[:, [5, 0]],
                    np.pad(data, ((0, 0), (1, 0)), constant_values=7), np.hstack([data, data]),
                    data.clip(-0.5, 0.5), data.astype(np.float16),
                    np.exp(data) / np.exp(data).sum(1, keepdims=True),
                    -np.sort(-data, axis=1)[:, :2]]
        for got, wanted in zip(results, expected):
            np.testing.assert_allclose(got.astype(np.float32), wanted.astype(np.float32),
                                       rtol=1e-5, atol=1e-6)

    def test_operators(self):
        x, y = ops.parameter([3]), ops.parameter([3])
        model = ov.Model([(x + y) * x - y / x], [x, y])
        a, b = floats(3) + 5, floats(3)
        np.testing.assert_allclose(run(model, a, b)[0], (a + b) * a - b / a, rtol=1e-4, atol=1e-5)

    def test_what_nodes_say(self):
        x = ops.parameter([2, 3], np.int64, name="x")
        node = ops.split(x, 1, 3)
        node.friendly_name = "parts"
        self.assertEqual((x.get_type_name(), node.get_type_name()), ("Parameter", "Split"))
        self.assertEqual((x.get_friendly_name(), node.get_friendly_name()), ("x", "parts"))
        self.assertEqual((node.get_input_size(), node.get_output_size()), (2, 3))
        self.assertEqual([str(one.get_partial_shape()) for one in node.outputs()], ["[2,1]"] * 3)
        self.assertEqual(node.output(2).get_index(), 2)
        self.assertEqual(node.output(1).get_node().get_friendly_name(), "parts")
        self.assertEqual(list(x.get_output_shape(0)), [2, 3])
        self.assertEqual(x.get_element_type(), ov.Type.i64)
        self.assertEqual(node.input_value(0).get_node().get_friendly_name(), "x")
        self.assertEqual(len(node.input_values()), 2)
        self.assertEqual(list(x.shape), [2, 3])

    def test_names_of_tensors(self):
        x = ops.parameter([2], np.float32, name="x")
        x.output(0).get_tensor().set_names({"in"})
        y = ops.relu(x)
        y.output(0).get_tensor().set_names({"out", "also"})
        model = ov.Model([y], [x])
        self.assertEqual(model.input("in").any_name, "in")
        self.assertEqual(model.output("also").names, {"out", "also"})
        model.output(0).add_names({"third"})
        self.assertIn("third", model.output(0).names)
        self.assertEqual(model.input(0).get_node().get_friendly_name(), "x")

    def test_a_result_names_its_output(self):
        x = ops.parameter([1, 2], np.float32, name="x")
        model = ov.Model([ops.result(ops.relu(x), name="y")], [x])
        self.assertEqual(model.output("y").names, {"y"})
        compiled = ov.compile_model(model, "CPU")
        self.assertEqual(compiled(-np.ones((1, 2), np.float32))["y"].tolist(), [[0, 0]])
        renamed = ops.result(ops.exp(x))
        renamed.set_friendly_name("later")
        self.assertEqual(ov.Model([renamed], [x]).output().names, {"later"})

    def test_a_result_leaves_names_that_are_there(self):
        x = ops.parameter([2], np.float32, name="x")
        named, twice = ops.exp(x), ops.relu(x)
        named.output(0).get_tensor().set_names({"t"})
        results = [ops.result(named, name="a"), ops.result(x, name="b"),
                   ops.result(twice, name="c"), ops.result(twice, name="d")]
        model = ov.Model(results, [x])
        self.assertEqual([one.get_names() for one in model.outputs], [{"t"}, {"x"}, {"c"}, {"c"}])
        self.assertEqual(model.input().get_names(), {"x"})

    def test_models_without_a_name_get_one(self):
        x = ops.parameter([2], np.float32)
        self.assertRegex(ov.Model([ops.exp(x)], [x]).get_friendly_name(), r"^Model_?\d+$")

    def test_classes_of_ops(self):
        x = ops.parameter([2, 2], np.float32)
        nodes = [ops.relu(x), ops.softmax(x, 1), ops.log_softmax(x, 1), ops.constant([1.0]),
                 ops.sigmoid(x), ops.loop(ops.constant(1), ops.constant(True)), ops.tensor_iterator(),
                 ops.if_op(ops.constant(True)), ops.softplus(x), ops.topk(x, 1, 1, "max", "none"),
                 ops.shape_of(x), ops.softsign(x), ops.result(x)]
        self.assertEqual([one.get_type_name() for one in nodes],
                         ["Relu", "Softmax", "LogSoftmax", "Constant", "Sigmoid", "Loop",
                          "TensorIterator", "If", "SoftPlus", "TopK", "ShapeOf", "SoftSign", "Result"])
        self.assertEqual(nodes[0].get_type_info().name, "Relu")

    def test_models_of_the_nodes_of_a_model(self):
        x = ops.parameter([4], np.float32, name="x")
        model = ov.Model([ops.exp(x)], [x], "first")
        source = model.get_results()[0].input_value(0)
        longer = ov.Model([ops.negative(source)], model.get_parameters(), "second")
        data = floats(4)
        np.testing.assert_allclose(run(longer, data)[0], -np.exp(data), rtol=1e-6)
        self.assertEqual([one.get_type_name() for one in longer.get_ordered_ops()],
                         ["Parameter", "Exp", "Negative", "Result"])
        longer.set_friendly_name("other")
        self.assertEqual(longer.get_friendly_name(), "other")

    def test_variables(self):
        x = ops.parameter([1, 2])
        opset6 = getattr(ov, "opset6")
        state = opset6.read_value(ops.constant(np.zeros((1, 2), np.float32)), "sum", ov.Type.f32,
                                  ov.PartialShape([1, 2]))
        total = ops.add(x, state)
        model = ov.Model([ops.result(total)], [opset6.assign(total, "sum")], [x], "sums")
        request = ov.compile_model(model, "CPU").create_infer_request()
        for step in (1, 2, 3):
            result = request.infer([np.ones((1, 2), np.float32)])
            self.assertEqual(list(result.values())[0].tolist(), [[step, step]])


class BodiesTest(unittest.TestCase):
    def test_a_loop(self):
        counter, total = ops.parameter([], np.int64), ops.parameter([2])
        part = ops.parameter([1, 2])
        after = ops.add(total, ops.squeeze(part, ops.constant(np.int64(0))))
        go_on = ops.constant(np.array(True))
        body = ov.Model([ops.result(go_on), ops.result(after)], [counter, total, part], "body")
        rows = ops.parameter([3, 2])
        loop = ops.loop(ops.constant(np.int64(3)), ops.constant(np.array(True)))
        loop.set_function(body)
        loop.set_special_body_ports([0, 0])
        loop.set_merged_input(total, ops.constant(np.zeros(2, np.float32)).output(0),
                              body.get_results()[1].output(0))
        loop.set_sliced_input(part, rows.output(0), 0, 1, 1, -1, 0)
        last = loop.get_iter_value(body.get_results()[1].output(0), -1)
        model = ov.Model([last], [rows])
        data = floats(3, 2)
        np.testing.assert_allclose(run(model, data)[0], data.sum(0), rtol=1e-5)

    def test_a_tensor_iterator(self):
        part, state = ops.parameter([1, 1, 2]), ops.parameter([1, 1, 2])
        result = ops.result(ops.tanh(ops.add(part, state)))
        body = ov.Model([result], [part, state])
        x = ops.parameter([1, 4, 2])
        start = ops.constant(np.zeros((1, 1, 2), np.float32))
        iterator = ops.tensor_iterator()
        iterator.set_body(body)
        iterator.set_sliced_input(part, x.output(0), 0, 1, 1, -1, 1)
        iterator.set_merged_input(state, start.output(0), result.output(0))
        last = iterator.get_iter_value(result.output(0), -1)
        steps = iterator.get_concatenated_slices(result.output(0), 0, 1, 1, -1, 1)
        data, h, all_steps = floats(1, 4, 2), np.zeros((1, 1, 2), np.float32), []
        for t in range(4):
            h = np.tanh(data[:, t:t + 1] + h)
            all_steps.append(h)
        got = run(ov.Model([last, steps], [x]), data)
        np.testing.assert_allclose(got[0], h, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(got[1], np.concatenate(all_steps, 1), rtol=1e-4, atol=1e-6)

    def test_an_if(self):
        flag, x = ops.parameter([], np.bool_), ops.parameter([2])
        inner, other = ops.parameter([2]), ops.parameter([2])
        yes, no = ops.result(ops.exp(inner)), ops.result(ops.negative(other))
        choice = ops.if_op(flag)
        choice.set_then_body(ov.Model([yes], [inner]))
        choice.set_else_body(ov.Model([no], [other]))
        choice.set_input(x.output(0), inner, other)
        model = ov.Model([choice.set_output(yes, no)], [flag, x])
        data = floats(2)
        np.testing.assert_allclose(run(model, np.array(True), data)[0], np.exp(data), rtol=1e-6)
        np.testing.assert_allclose(run(model, np.array(False), data)[0], -data)


@unittest.skipUnless(IS_RONDO, "what Rondo alone does")
class RondoTest(unittest.TestCase):
    def test_numbers_take_the_type_of_the_other_side(self):
        x = ops.parameter([2])
        model = ov.Model([2 * x + 1, ops.power(x, 2), x @ np.ones((2, 1), np.float32)], [x])
        data = floats(2)
        results = run(model, data)
        np.testing.assert_allclose(results[0], 2 * data + 1, rtol=1e-6)
        np.testing.assert_allclose(results[1], data * data, rtol=1e-6)
        left = np.ones(2, np.float32) - x
        self.assertEqual(left.get_type_name(), "Subtract")

    def test_own_ops(self):
        x, state = ops.parameter([1, 2, 3]), ops.parameter([1, 1, 4])
        layer = ov.rondo1.lstm_sequence(
            x, state, state, np.array([2], np.int32), floats(1, 16, 3), floats(1, 16, 4),
            floats(1, 16), floats(1, 12), hidden_size=4, direction="forward", input_forget=True)
        self.assertEqual((layer.opset, layer.get_input_size()), ("rondo1", 8))
        self.assertEqual(layer.get_attributes()["input_forget"], "true")

    def test_constants_and_attributes_can_be_read(self):
        value = ops.constant([[1, 2]], np.int32)
        self.assertEqual(value.data.tolist(), [[1, 2]])
        self.assertEqual(value.get_data().dtype, np.int32)
        with self.assertRaisesRegex(ov.ModelError, "is not a constant"):
            ops.parameter([1]).data
        with self.assertRaisesRegex(ov.ModelError, "the tensor is i32, not f32"):
            ops.constant(ov.Tensor(np.zeros(1, np.int32)), "f32")
        array = np.zeros(2, np.float32)
        shared, copied = ops.constant(array, shared_memory=True), ops.constant(array)
        array[0] = 3
        self.assertEqual((shared.data[0], copied.data[0]), (3, 0))

    def test_errors_name_the_node(self):
        x = ops.parameter([2, 3], name="x")
        with self.assertRaisesRegex(ov.ModelError, "node 'bad' .MatMul.*2,3"):
            ops.matmul(x, x, False, False, name="bad")
        with self.assertRaisesRegex(ov.ModelError, "'direction' is 'sideways'.*|direction.*sideways"):
            ops.lstm_sequence(x, x, x, x, x, x, x, 4, "sideways")
        with self.assertRaisesRegex(ov.ModelError, "has 3 outputs; name one by output"):
            ops.relu(ops.split(x, 1, 3))
        with self.assertRaisesRegex(ov.ModelError, "has no output 3; there are 3"):
            ops.split(x, 1, 3).output(3)
        with self.assertRaisesRegex(ov.ModelError, "negative_indices_mode"):
            ov.opset16.one_hot(ops.parameter([1], np.int64), 3, 1.0, 0.0, -1,
                               negative_indices_mode="otherwise")
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'data_b'"):
            ops.matmul(x)
        with self.assertRaisesRegex(TypeError, "compiled model"):
            ops.relu(ov.compile_model(ov.Model([ops.relu(x)], [x])).output(0))

    def test_models_lack_nothing(self):
        x, y = ops.parameter([1], name="x"), ops.parameter([1], name="y")
        with self.assertRaisesRegex(ov.ModelError, "'y' .Parameter. is needed, but isn't among"):
            ov.Model([ops.add(x, y)], [x])
        with self.assertRaisesRegex(ov.ModelError, "is given twice"):
            ov.Model([ops.add(x, y)], [x, x])
        with self.assertRaisesRegex(ov.ModelError, "is not of type Parameter"):
            ov.Model([ops.relu(x)], [ops.relu(x)])
        with self.assertRaisesRegex(ov.ModelError, "needs a result or a sink"):
            ov.Model([], [])
        with self.assertRaisesRegex(TypeError, "expected a Node or an Output"):
            ov.Model([3], [x])
        state = ov.opset6.read_value("v", "f32", [1])
        with self.assertRaisesRegex(ov.ModelError, "'v'"):
            ov.Model([ops.add(x, state)], [x])

    def test_bodies_lack_nothing(self):
        x = ops.parameter([1])
        body = ov.Model([ops.relu(x)], [x], "body")
        loop = ops.loop(3, True)
        with self.assertRaisesRegex(ov.ModelError, "has no body"):
            loop.set_invariant_input(x, x)
        loop.set_function(body)
        with self.assertRaisesRegex(ov.ModelError, "is not a Parameter of the body 'body'"):
            loop.set_invariant_input(ops.parameter([1]), x)
        with self.assertRaisesRegex(ov.ModelError, "is not a result of the body"):
            loop.get_iter_value(ops.parameter([1]))
        with self.assertRaisesRegex(ov.ModelError, "Loop"):
            loop.outputs()  # the parameter gets nothing
        with self.assertRaisesRegex(ov.ModelError, "needs a body for then"):
            ops.if_op(True).outputs()

    def test_ops_with_bodies_are_like_nodes(self):
        x = ops.parameter([1])
        loop = ops.loop(3, True, name="steps")
        self.assertEqual(repr(loop), "<Loop 'steps'>")
        loop.set_function(ov.Model([ops.result(ops.constant(np.array(True)))], []))
        loop.set_special_body_ports([-1, 0])
        self.assertEqual((loop.get_input_size(), loop.get_type_info().name), (2, "Loop"))
        with self.assertRaisesRegex(AttributeError, "'LoopOp' has no attribute 'nonsense'"):
            loop.nonsense
        self.assertFalse(hasattr(ops.tensor_iterator(), "__len__"))

    def test_results_without_a_name(self):
        x = ops.parameter([2], name="x")
        result = ops.result(ops.relu(x, name="r"))
        self.assertEqual(result.friendly_name, "r/sink_port_0")
        self.assertEqual(ov.Model([result], [x]).output().names, {"r"})

    def test_names_are_told_apart(self):
        x = ops.parameter([1], name="a")
        model = ov.Model([ops.relu(ops.relu(x, name="a"), name="a")], [x])
        names = [node.friendly_name for node in model.get_ops()]
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(names[0], "a")

    def test_composed_ops(self):
        x = ops.parameter([2, 3], name="x")
        node = ops.prelu(x, 0.1, name="slopes")
        self.assertEqual(node.friendly_name, "slopes")
        model = ov.Model([node, ops.grn(ops.reshape(x, [1, 2, 3, 1], False), 0.1)], [x])
        data = floats(2, 3)
        np.testing.assert_allclose(run(model, data)[0], np.where(data < 0, 0.1 * data, data),
                                   rtol=1e-5)

    def test_saved_and_read(self):
        x = ops.parameter([-1, 2], name="x")
        model = ov.Model([ops.relu(x, name="r")], [x], "small")
        model.set_rt_info("me", ["origin", "author"])
        self.assertEqual(model.get_rt_info("origin"), {"author": "me"})
        twin = ov.Model(model)
        twin.reshape([4, 2])
        self.assertTrue(model.is_dynamic() and not twin.is_dynamic())
        self.assertIn("'r'", model.to_text() + repr(model.get_ops()))


if __name__ == "__main__":
    support.main()
