"""Preprocessing, layouts, export, rt_info and added outputs, as OpenVINO's users write them.

RONDO_OV=openvino runs the same tests with OpenVINO, except those of refusals.
"""

import importlib
import io
import os
import pathlib
import tempfile
import unittest

import numpy as np
import support

NAME = os.environ.get("RONDO_OV", "rondo")
ov = importlib.import_module(NAME)
ROOT = pathlib.Path(__file__).resolve().parents[3]
MODEL = str(ROOT / "tests/data/ir/lstm_model.xml")
ours = unittest.skipUnless(NAME == "rondo", "Rondo's own behaviour")


def identity(shape=(2, 3, 4), element_type="f32"):
    """x -> y = x."""
    return ov.Core().read_model(support.passing(element_type, shape))


def named_chain(first, second):
    """x -> relu -> exp -> negative, whose tensors are named: first, second and "c"."""
    ops = ov.opset13
    x = ops.parameter([2], np.float32, name="x")
    nodes = [ops.relu(x)]
    nodes.append(ops.exp(nodes[0]))
    nodes.append(ops.negative(nodes[1]))
    for node, name in zip(nodes, (first, second, "c")):
        node.output(0).get_tensor().set_names({name})
    return ov.Model([ops.result(nodes[2])], [x])


def run(model, *inputs):
    return ov.Core().compile_model(model, "CPU")(list(inputs))[0]


class PreprocessTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(7)

    def processor(self, **options):
        self.model = identity(**options)
        return ov.preprocess.PrePostProcessor(self.model)

    def test_types_and_layouts(self):
        pre = self.processor()
        pre.input().tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout("CNT"))
        pre.input().model().set_layout(ov.Layout("NTC"))
        model = pre.build()
        port = model.input(0)
        self.assertEqual(port.element_type, ov.Type.u8)
        self.assertEqual(list(port.shape), [4, 2, 3])
        self.assertEqual(port.any_name, "x")
        x = self.rng.integers(0, 255, (4, 2, 3)).astype(np.uint8)
        np.testing.assert_array_equal(run(model, x), x.transpose(1, 2, 0).astype(np.float32))

    @ours
    def test_what_was_set_is_shown(self):
        pre = self.processor()
        self.assertEqual(repr(pre), "<PrePostProcessor: 'test'>")
        pre.input().tensor().set_element_type(ov.Type.u8)
        pre.input().preprocess().mean(0.5).convert_element_type("f32")
        pre.output().tensor().set_layout("NTC")
        self.assertEqual(repr(pre), "<PrePostProcessor: 'test'\n"
                         "input 0: tensor_type=u8, steps=[arithmetic Subtract 0.5, convert_type f32]\n"
                         "output 0: tensor_layout=[N,T,C]>")

    def test_steps_run_in_their_order(self):
        x = self.rng.random((2, 3, 4), np.float32)
        for steps, expected in (
                (lambda p: p.mean(3.0).scale(2.0), (x - 3) / 2),
                (lambda p: p.scale(2.0).mean(3.0), x / 2 - 3),
                (lambda p: p.convert_layout([1, 2, 0]).mean(1.0), None)):
            pre = self.processor(shape=(2, 3, 4) if expected is not None else (3, 4, 2))
            if expected is None:
                pre.input().tensor().set_shape([2, 3, 4])
            steps(pre.input("x").preprocess())
            expected = x.transpose(1, 2, 0) - 1 if expected is None else expected
            np.testing.assert_allclose(run(pre.build(), x), expected, rtol=1e-6)

    def test_a_number_a_channel(self):
        mean, scale = [1.0, 2.0, 3.0, 4.0], [0.5, 2.0, 4.0, 8.0]
        pre = self.processor()
        pre.input().tensor().set_element_type(ov.Type.i32)
        pre.input().model().set_layout(ov.Layout("NTC"))
        pre.input().preprocess().convert_element_type(ov.Type.f32).mean(mean).scale(scale)
        x = self.rng.integers(-9, 9, (2, 3, 4)).astype(np.int32)
        expected = (x - np.array(mean, np.float32)) / np.array(scale, np.float32)
        np.testing.assert_allclose(run(pre.build(), x), expected, rtol=1e-6)

    def test_random_chains(self):
        for _ in range(20):
            order = [int(axis) for axis in self.rng.permutation(3)]
            number = float(self.rng.random() + 0.5)
            tensor_layout = "".join("NTC"[axis] for axis in order)
            pre = self.processor()
            pre.input().tensor().set_layout(ov.Layout(tensor_layout))
            pre.input().model().set_layout(ov.Layout("NTC"))
            per_channel = self.rng.random(4).astype(np.float32) + 0.5
            pre.input().preprocess().scale([float(one) for one in per_channel]).mean(number)
            post = pre.output()
            post.model().set_layout(ov.Layout("NTC"))
            post.tensor().set_layout(ov.Layout(tensor_layout)).set_element_type(ov.Type.f64)
            model = pre.build()
            x = self.rng.random([(2, 3, 4)[axis] for axis in order], np.float32)
            back = np.argsort(order)
            inner = x.transpose(back) / per_channel - np.float32(number)
            result = run(model, x)
            self.assertEqual(result.dtype, np.float64)
            np.testing.assert_allclose(result, inner.transpose(order), 1e-5, 1e-6)

    def test_the_new_input_is_turned_back(self):
        # What is set, the shape of the new input, and how its axes become the model's.
        layout = ov.Layout
        for steps, shape, order in (
                (lambda p: p.preprocess().convert_layout([1, 0, 2]), [3, 2, 4], [1, 0, 2]),
                (lambda p: p.preprocess().convert_layout([2, 0, 1]), [3, 4, 2], [2, 0, 1]),
                (lambda p: p.preprocess().convert_layout([2, 0, 1]).convert_layout([1, 0, 2]),
                 [2, 4, 3], [0, 2, 1]),
                (lambda p: (p.tensor().set_layout(layout("TNC")),
                            p.preprocess().convert_layout(layout("NTC"))), [3, 2, 4], [1, 0, 2]),
                (lambda p: (p.tensor().set_layout(layout("TNC")),
                            p.preprocess().convert_layout(layout("NCT"))), [4, 2, 3], [1, 2, 0]),
                (lambda p: (p.model().set_layout(layout("NTC")),
                            p.preprocess().convert_layout([1, 0, 2])), [3, 2, 4], [1, 0, 2]),
                (lambda p: (p.tensor().set_layout(layout("TCN")), p.model().set_layout(layout("NTC")),
                            p.preprocess().convert_layout([2, 0, 1])), [3, 4, 2], [2, 0, 1])):
            pre = self.processor()
            steps(pre.input())
            model = pre.build()
            self.assertEqual(list(model.input(0).shape), shape)
            self.assertEqual(list(model.output(0).shape), [2, 3, 4])
            x = self.rng.random(shape, np.float32)
            np.testing.assert_array_equal(run(model, x), x.transpose(order))

    def test_a_list_of_axes_turns_the_layout(self):
        pre = self.processor()
        pre.input().tensor().set_layout(ov.Layout("TCN"))
        pre.input().preprocess().convert_layout([2, 0, 1]).mean([1.0, 2.0, 3.0, 4.0])
        x = self.rng.random((3, 4, 2), np.float32)
        expected = x.transpose(2, 0, 1) - np.float32([1, 2, 3, 4])
        np.testing.assert_allclose(run(pre.build(), x), expected, rtol=1e-6)

    def test_outputs_keep_their_names(self):
        pre = self.processor()
        pre.output("y").tensor().set_element_type(ov.Type.i32)
        pre.output("y").postprocess().convert_layout([2, 0, 1])
        model = pre.build()
        x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        compiled = ov.Core().compile_model(model, "CPU")
        np.testing.assert_array_equal(compiled({"x": x})["y"], x.transpose(2, 0, 1).astype("i4"))

    def test_open_extents(self):
        pre = self.processor(shape=(-1, -1, 4))
        pre.input().tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout("TNC"))
        pre.input().model().set_layout(ov.Layout("NTC"))
        model = pre.build()
        for rows, steps in ((1, 5), (3, 2)):
            x = self.rng.integers(0, 9, (steps, rows, 4)).astype(np.uint8)
            np.testing.assert_array_equal(run(model, x), x.transpose(1, 0, 2).astype(np.float32))

    def test_the_tensors_shape_becomes_the_models(self):
        pre = self.processor(shape=(-1, -1, 4))
        pre.input().tensor().set_shape([3, 2, 4])
        pre.input().preprocess().convert_layout([1, 0, 2])
        model = pre.build()
        self.assertEqual(list(model.output(0).shape), [2, 3, 4])

    @ours
    def test_refusals(self):
        layout = ov.Layout("NTC")
        cases = (
            (lambda p: p.input().preprocess().resize(1), "belongs to images"),
            (lambda p: p.input().tensor().set_color_format(1), "belongs to images"),
            (lambda p: p.input().tensor().set_element_type("u8") and
             p.input().preprocess().mean(1.0), "need a floating type, not u8"),
            (lambda p: p.input().preprocess().mean([1.0, 2.0]), "a layout with an axis C"),
            (lambda p: (p.input().model().set_layout(layout),
                        p.input().preprocess().mean([1.0, 2.0])), "got 2 numbers for 4 channels"),
            (lambda p: p.input().model().set_layout("NC"), r"has 2 axes; the input's shape is"),
            (lambda p: (p.input().model().set_layout(layout),
                        p.input().tensor().set_layout("NHC")), "must name the same axes"),
            (lambda p: p.input().preprocess().convert_layout([0, 0, 1]), "is not an order of 3 axes"),
            (lambda p: (p.input().model().set_layout(layout),
                        p.input().preprocess().convert_layout([3, 2, 1, 0])), "is not an order of 3"),
            (lambda p: p.input("z"), "'z'"),
            (lambda p: p.input().model().set_layout("N...C"), "name each axis"))
        for steps, message in cases:
            with self.subTest(message), self.assertRaisesRegex(ov.Error, message):
                pre = self.processor()
                steps(pre)
                pre.build()
            self.assertEqual(self.model.input(0).element_type, ov.Type.f32)  # as it was

    def test_layouts(self):
        layout = ov.Layout("N?TC")
        self.assertEqual(layout.get_index_by_name("T"), 2)
        self.assertTrue(layout.has_name("C"))
        self.assertEqual(layout, ov.Layout("[N,?,T,C]"))
        self.assertTrue(ov.Layout("").empty)


class ModelTest(unittest.TestCase):
    def test_export_and_import(self):
        core = ov.Core()
        x = np.random.default_rng(3).random((1, 2, 3), np.float32)
        compiled = core.compile_model(MODEL, "CPU", {"PERF_COUNT": True})
        expected = list(compiled(x).values())
        data = compiled.export_model()
        stream = io.BytesIO()
        compiled.export_model(stream)
        for source in (data, stream):
            again = core.import_model(source, "CPU", {"INFERENCE_NUM_THREADS": 1})
            if NAME == "rondo":  # OpenVINO's keeps neither
                self.assertEqual(again.get_property("INFERENCE_NUM_THREADS"), 1)
                self.assertTrue(again.get_property("PERF_COUNT"))
            for one, other in zip(again(x).values(), expected):
                np.testing.assert_array_equal(one, other)

    @ours
    def test_exported_states(self):
        core = ov.Core()
        compiled = core.compile_model(core.read_model(support.running_sum((1, 2))), "CPU")
        request = core.import_model(compiled.export_model(), "CPU").create_infer_request()
        for step in (1, 2, 3):
            self.assertEqual(request.infer(np.ones((1, 2), np.float32))["y"].tolist(),
                             [[step, step]])
        for data, message in ((b"", "not from export_model"), (b"x" * 99, "not from export_model"),
                              (compiled.export_model()[:-1], "not from export_model")):
            with self.assertRaisesRegex(ov.ModelError, message):
                core.import_model(data)

    def test_added_outputs(self):
        model = ov.Core().read_model(support.slow_chain(3, 2))
        (added,) = model.add_outputs("y1")
        self.assertEqual(len(model.outputs), 2)
        model.add_outputs(("MatMul_2", 0))
        x = np.array([[1, 2], [3, 4]], np.float32)
        results = ov.Core().compile_model(model, "CPU")(x)
        np.testing.assert_array_equal(results["y1"], x @ x)
        np.testing.assert_array_equal(results[2], x @ x @ x)
        self.assertIn("y1", added.get_names())

    def test_names_with_commas(self):
        model = named_chain("a,b", "b")
        (added,) = model.add_outputs("b")
        self.assertEqual(added.get_names(), {"b"})
        model.add_outputs(["a,b"])
        results = ov.Core().compile_model(model, "CPU")(-np.ones(2, np.float32))
        np.testing.assert_array_equal(results[1], [1, 1])
        np.testing.assert_array_equal(results["a,b"], [0, 0])

    @ours
    def test_a_new_output_gets_a_name_with_a_comma(self):
        model = named_chain("a", "b")
        node = model.get_ordered_ops()[1]
        node.set_friendly_name("q,r")
        node.output(0).set_names(set())
        (added,) = model.add_outputs(node)
        self.assertEqual(added.names, {"q,r"})

    @ours
    def test_names_that_the_ir_cannot_hold(self):
        for name in ("\x01x", "x\uffff", "c\\", ","):
            model = named_chain("a", name)
            self.assertEqual(model.add_outputs(["a", name])[1].names, {name})
            ov.preprocess.PrePostProcessor(model).build()
            results = ov.Core().compile_model(model, "CPU")(-np.ones(2, np.float32))
            np.testing.assert_array_equal(results[name], [1, 1])

    @ours
    def test_a_tensors_name_comes_before_a_nodes(self):
        model = named_chain("a", "b")
        relu, exp = (node for node in model.get_ordered_ops() if node.type_name in ("Relu", "Exp"))
        relu.set_friendly_name("b")
        relu.output(0).set_names(set())
        (added,) = model.add_outputs("b")
        self.assertEqual(added.node.input_value(0).node, exp)

    @ours
    def test_nodes_stay_those_of_the_model(self):
        model = named_chain("a", "b")
        nodes = model.get_ordered_ops()
        model.add_outputs("a")
        self.assertEqual(set(nodes) - set(model.get_ordered_ops()), set())

    def test_outputs_are_added_once(self):
        model = named_chain("a", "b")
        (same,) = model.add_outputs("c")
        self.assertEqual((len(model.outputs), same.get_names()), (1, {"c"}))
        added = model.add_outputs(["b", "c", "b", model.output(0)])
        self.assertEqual([one.get_names() for one in added], [{"b"}, {"c"}, {"b"}, {"c"}])
        self.assertEqual([one.get_names() for one in model.outputs], [{"c"}, {"b"}])

    @ours
    def test_outputs_that_are_not_there(self):
        model = ov.Core().read_model(support.unary())
        for key in ("nonsense", ("ReLU_1", 1), ("nonsense", 0), ("x", "y"),
                    ("ReLU_1", -1)):
            with self.assertRaisesRegex(ov.ModelError, "no tensor or node"):
                model.add_outputs(key)
        self.assertEqual(len(model.outputs), 1)

    def test_rt_info(self):
        model = ov.Core().read_model(MODEL)
        model.set_rt_info("me", ["origin", "author"])
        model.set_friendly_name("renamed")
        with tempfile.TemporaryDirectory() as folder:
            ov.save_model(model, os.path.join(folder, "m.xml"))
            again = ov.Core().read_model(os.path.join(folder, "m.xml"))
        self.assertTrue(again.has_rt_info(["origin", "author"]))
        found = again.get_rt_info(["origin", "author"])
        self.assertEqual(found if NAME == "rondo" else found.value, "me")
        self.assertEqual(again.get_friendly_name(), "renamed")
        self.assertFalse(again.has_rt_info(["origin", "other"]))

    @ours
    def test_rt_info_that_is_not_there(self):
        model = ov.Core().read_model(MODEL)
        with self.assertRaisesRegex(ov.ModelError, "rt_info has no 'k'"):
            model.get_rt_info("k")
        self.assertIsInstance(model.get_rt_info(), dict)

    def test_parameters_and_results(self):
        model = ov.Core().read_model(support.two_in_two_out())
        self.assertEqual([one.get_friendly_name() for one in model.get_parameters()], ["a", "b"])
        self.assertEqual(len(model.results), 2)

    def test_queries(self):
        model = ov.Core().read_model(MODEL)
        found = ov.Core().query_model(model, "CPU")
        self.assertEqual(set(found), {node.get_friendly_name() for node in model.get_ops()})
        self.assertEqual(set(found.values()), {"CPU"})


@ours
class ConvertTest(unittest.TestCase):
    def test_shapes(self):
        digits = ROOT / "docs/samples/digits/digits_lstm.onnx"
        for wanted in ([2, 8, 8], [[2, 8, 8]], [("pixels", [2, 8, 8])], {"pixels": [2, 8, 8]},
                       "pixels[2,8,8]", ("pixels", [2, 8, 8]), ov.PartialShape([2, 8, 8]),
                       [("pixels", [2, 8, 8], "f32")], {"pixels": ([2, 8, 8], ov.Type.f32)}):
            model = ov.convert_model(digits, input=wanted)
            self.assertEqual(list(model.input().shape), [2, 8, 8], wanted)
        model = ov.convert_model(digits, input=[(1, (2, 9), 8)])
        self.assertEqual(str(model.input().partial_shape), "[1,2..9,8]")

    def test_shapes_by_position(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sum.xml"
            path.write_bytes(support.two_in_two_out((-1, -1)))
            model = ov.convert_model(path, input=[(1, 4), (3, 4)])
        self.assertEqual([list(port.shape) for port in model.inputs], [[1, 4], [3, 4]])

    def test_refusals(self):
        digits = ROOT / "docs/samples/digits/digits_lstm.onnx"
        for options, message in (({"input": ("pixels", ov.Type.u8)}, "PrePostProcessor"),
                                 ({"output": "logits"}, "'output' isn't supported"),
                                 ({"input": {"nothing": [1]}}, "nothing")):
            with self.assertRaisesRegex(ov.Error, message):
                ov.convert_model(digits, **options)


if __name__ == "__main__":
    support.main()
