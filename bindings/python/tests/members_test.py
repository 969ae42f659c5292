"""Members that OpenVINO's classes have: nodes, inputs, outputs, models whose ports change."""

import unittest

import numpy as np
import rondo as ov
import support


class NodeTest(unittest.TestCase):
    def setUp(self):
        self.model = ov.Core().read_model(support.two_in_two_out())
        self.add = next(op for op in self.model.get_ops() if op.type_name == "Add")

    def test_inputs(self):
        first, second = self.add.inputs()
        self.assertEqual(first.get_source_output().get_node().get_friendly_name(), "a")
        self.assertEqual((second.get_node(), second.get_index()), (self.add, 1))
        self.assertEqual((second.node, second.index), (self.add, 1))
        self.assertEqual(self.add.input(1), second)
        self.assertNotEqual(first, second)
        self.assertEqual(len({first, second, self.add.input(0)}), 2)
        self.assertNotEqual(first, 1)
        self.assertEqual(first.tensor.names, {"a"})
        self.assertEqual(first.get_tensor().get_names(), {"a"})
        self.assertEqual((first.element_type, first.shape), (ov.Type.f32, [1, 4]))
        self.assertEqual(str(first.partial_shape), "[1,4]")
        self.assertIn("<Input 0 of <opset1.Add", repr(first))
        with self.assertRaises(ov.ModelError):
            self.add.input(2)

    def test_facts(self):
        self.assertEqual(self.add.get_type_info().name, "Add")
        self.assertEqual(self.add.type_info.version_id, "opset1")
        self.assertEqual((self.add.element_type, self.add.partial_shape), (ov.Type.f32, [1, 4]))
        self.model.input("a").tensor.add_names({"other"})
        self.assertEqual(self.model.input("other").names, {"a", "other"})


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.model = ov.Core().read_model(support.two_in_two_out())
        self.x = [np.full((1, 4), 3, np.float32), np.full((1, 4), 2, np.float32)]

    def test_outputs(self):
        self.assertEqual(self.model.get_output_size(), 2)
        self.assertEqual(self.model.get_output_shape(1), [1, 4])
        self.assertEqual(self.model.get_output_partial_shape(0), [1, 4])
        self.assertEqual(self.model.get_output_element_type(0), ov.Type.f32)
        self.assertEqual(self.model.get_output_op(1), self.model.get_results()[1])
        with self.assertRaisesRegex(ov.ModelError, "the model has 2 outputs"):
            self.model.get_result()

    def test_places(self):
        a, b = self.model.get_parameters()
        self.assertEqual([self.model.get_parameter_index(node) for node in (a, b)], [0, 1])
        result = self.model.get_results()[1]
        self.assertEqual(self.model.get_result_index(result), 1)
        self.assertEqual(self.model.get_result_index(self.model.output(1)), 1)
        self.assertEqual(self.model.get_result_index(result.input_value(0)), 1)
        self.assertEqual(self.model.get_parameter_index(result), -1)
        self.assertEqual(self.model.get_result_index(a), -1)

    def test_outputs_come_and_go(self):
        self.model.set_rt_info("me", ["origin", "author"])
        difference = self.model.output("difference").node.input_value(0)
        self.model.remove_result(self.model.get_results()[0])
        self.assertEqual([port.any_name for port in self.model.outputs], ["difference"])
        self.assertEqual(self.model.get_result(), self.model.get_results()[0])
        self.model.add_results([ov.opset15.abs(difference)])
        c = ov.opset15.parameter([2], np.float32, name="c")
        self.model.add_parameters([c])
        self.model.add_results([ov.opset15.result(c, name="same")])
        np.testing.assert_array_equal(ov.compile_model(self.model)([*self.x, [5, 6]])[1],
                                      np.ones((1, 4)))
        self.model.remove_result(self.model.get_results()[2])
        self.model.remove_parameter(c)
        self.assertEqual(len(self.model.inputs), 2)
        self.assertEqual(self.model.get_rt_info(["origin", "author"]), "me")

    def test_rt_info_is_a_dict_that_writes(self):
        self.model.rt_info["a"] = 1
        self.model.set_rt_info("me", ["origin", "author"])
        self.model.rt_info["origin"]["year"] = 2026
        self.assertEqual(self.model.rt_info, {"a": "1", "origin": {"author": "me", "year": "2026"}})
        self.assertEqual(self.model.get_rt_info(["origin", "year"]), "2026")

    def test_all_that_sets_rt_info_writes(self):
        self.model.rt_info.update({"a": 1}, b=2)
        self.model.rt_info.update([("c", {"d": {"e": 3}, "none": {}})])
        self.assertEqual(self.model.rt_info.setdefault("a", 5), "1")
        self.assertEqual(self.model.rt_info.setdefault("f", 4), "4")
        self.model.rt_info |= {"g": 5}
        info = self.model.rt_info
        info["c"] |= {"h": 6}
        self.assertEqual(info["c"]["d"], {"e": "3"})
        self.assertEqual(self.model.rt_info, info)
        for path, value in (("a", "1"), ("b", "2"), (["c", "d", "e"], "3"), ("f", "4"), ("g", "5"),
                            (["c", "h"], "6")):
            self.assertEqual(self.model.get_rt_info(path), value)

    def test_nothing_removes_rt_info(self):
        info = self.model.rt_info
        info["a"] = 1
        for remove in (lambda: info.__delitem__("a"), lambda: info.pop("a"), lambda: info.pop("a", 0),
                       info.popitem, info.clear):
            with self.assertRaisesRegex(ov.ModelError, "can be set, but not removed"):
                remove()
        self.assertEqual((info["a"], info.pop("b", 7)), ("1", 7))
        with self.assertRaises(KeyError):
            info.pop("b")
        with self.assertRaisesRegex(ov.ModelError, "rt_info can't be replaced"):
            self.model.rt_info = {}
        self.model.rt_info.update({"c": {"d": 1}})
        with self.assertRaisesRegex(ov.ModelError, "rt_info can't be replaced"):
            self.model.rt_info = self.model.rt_info["c"]

    def test_an_output_of_a_node_becomes_the_models(self):
        self.model.get_ops()  # nodes may have been seen before
        node = self.model.get_parameters()[0]
        (port,) = self.model.add_outputs(node.output(0))
        self.assertEqual(port.shape, [1, 4])
        self.assertEqual(self.model.get_output_size(), 3)

    def test_what_cannot_go_stays(self):
        with self.assertRaisesRegex(ov.ModelError, "'a'"):
            self.model.remove_parameter(self.model.get_parameters()[0])
        with self.assertRaisesRegex(ov.ModelError, "no such node: <opset1.Parameter 'a'>"):
            self.model.remove_result(self.model.get_parameters()[0])
        self.assertEqual((len(self.model.inputs), len(self.model.outputs)), (2, 2))


class ShapeTest(unittest.TestCase):
    def test_dimensions(self):
        known, range_, any_ = ov.Dimension(3), ov.Dimension(2, 4), ov.Dimension()
        for one, other in ((known, range_), (range_, any_), (known, any_), (known, known)):
            self.assertTrue(one.refines(other))
            self.assertTrue(other.relaxes(one))
            self.assertTrue(one.compatible(other))
        self.assertFalse(any_.refines(known))
        self.assertFalse(known.compatible(ov.Dimension(4, -1)))
        self.assertTrue(known.same_scheme(known))
        self.assertTrue(any_.same_scheme(range_))
        self.assertFalse(known.same_scheme(any_))

    def test_shapes(self):
        known, open_, any_ = (ov.PartialShape([2, 3]), ov.PartialShape([2, -1]),
                              ov.PartialShape.dynamic())
        self.assertTrue(known.refines(open_))
        self.assertTrue(open_.relaxes(known))
        self.assertTrue(open_.refines(any_))
        self.assertFalse(any_.refines(open_))
        self.assertEqual(ov.PartialShape.dynamic(ov.Dimension(2)), ov.PartialShape.dynamic(2))
        self.assertTrue(ov.PartialShape.dynamic(ov.Dimension()).rank.is_dynamic)
        with self.assertRaisesRegex(TypeError, "a number or a Dimension"):
            ov.PartialShape.dynamic({})
        self.assertFalse(open_.refines(known))
        self.assertFalse(known.refines(ov.PartialShape([2, 3, 4])))
        self.assertTrue(open_.same_scheme(ov.PartialShape([2, (1, 4)])))
        self.assertFalse(known.same_scheme(open_))
        self.assertFalse(known.same_scheme(any_))
        self.assertTrue(any_.same_scheme(ov.PartialShape.dynamic()))

    def test_types(self):
        self.assertTrue(ov.Type.f32.compatible(ov.Type.dynamic))
        self.assertFalse(ov.Type.f32.compatible(ov.Type.i64))
        self.assertTrue(ov.Type.i8.is_quantized())
        self.assertFalse(ov.Type.f32.is_quantized())


class RequestTest(unittest.TestCase):
    def test_an_input_of_open_shape(self):
        request = ov.compile_model(support.unary(shape=(-1, 4))).create_infer_request()
        tensor = request.get_input_tensor()
        self.assertEqual(tensor.shape, [0, 4])
        with self.assertRaisesRegex(ov.ModelError, "was not set"):
            request.infer()
        for rows in (3, 5):
            tensor.shape = [rows, 4]
            tensor.data[:] = rows
            np.testing.assert_array_equal(request.infer()[0], np.full((rows, 4), rows))
        self.assertEqual(request.get_tensor("x").shape, [5, 4])
        with self.assertRaisesRegex(ov.ModelError, "input 'x'"):
            tensor.shape = [5]
        self.assertEqual(tensor.shape, [5, 4])
        del request
        tensor.shape = [1]  # nothing is bound any more

    def test_ports_have_nodes(self):
        compiled = ov.compile_model(support.two_in_two_out())
        request = compiled.create_infer_request()
        self.assertEqual(compiled.input(1).node.get_friendly_name(), "b")
        self.assertEqual(compiled.inputs[0].get_node().get_type_name(), "Parameter")
        source = compiled.output("difference").node.input_value(0)
        self.assertEqual(source.names, {"difference"})
        self.assertEqual(request.model_outputs[1].node.get_type_name(), "Result")
        self.assertEqual(compiled.input(0).tensor.get_tensor().any_name, "a")
        port = compiled.output(0)
        del compiled, request
        with self.assertRaisesRegex(ov.ModelError, "doesn't know its model, or that is gone"):
            port.node

    def test_texts(self):
        compiled = ov.compile_model(support.two_in_two_out())
        ports = """
inputs[
<ConstOutput: names[a] shape[1,4] type: f32>,
<ConstOutput: names[b] shape[1,4] type: f32>
]
outputs[
<ConstOutput: names[sum] shape[1,4] type: f32>,
<ConstOutput: names[difference] shape[1,4] type: f32>
]>"""
        self.assertEqual(repr(compiled), f"<CompiledModel:{ports}")
        self.assertEqual(repr(ov.Core().read_model(support.two_in_two_out())),
                         f"<Model: 'test'{ports}")
        compiled.create_infer_request().infer([np.ones((1, 4), np.float32)] * 2)
        self.assertIn("<Metrics: 1 inference, 0 failed", repr(compiled.metrics()))
        self.assertEqual(repr(ov.Core()), "<Core: CPU REFERENCE>")
        self.assertEqual(repr(compiled.create_infer_request()),
                         "<InferRequest: inputs 'a', 'b'; outputs 'sum', 'difference'>")


class AbsentTest(unittest.TestCase):
    def test_reasons(self):
        core = ov.Core()
        compiled = core.compile_model(support.unary())
        for owner, name, reason in (
                (core, "add_extension", "ops can't be added"),
                (compiled, "set_property", "properties are given to"),
                (compiled.create_infer_request(), "inputs", "model_inputs has the ports")):
            self.assertFalse(hasattr(owner, name))
            with self.assertRaisesRegex(AttributeError, f"no attribute '{name}': {reason}"):
                getattr(owner, name)
        port = compiled.output(0)
        for name in ("rt_info", "get_rt_info", "get_target_inputs"):
            with self.assertRaisesRegex(AttributeError, f"'ConstOutput' has no attribute '{name}': "):
                getattr(port, name)
        with self.assertRaisesRegex(AttributeError, "'Core' has no attribute 'nonsense'$"):
            core.nonsense

    def test_reasons_of_modules(self):
        for name, reason in (("runtime", "its names are in rondo itself"),
                             ("_offline_transformations", "Model.apply_low_latency"),
                             ("tools", "rondo benchmark"), ("opset99", "opset1 to opset16"),
                             ("utils", "take numbers and arrays"), ("hint", "rondo.properties.hint"),
                             ("helpers", "ml_dtypes"), ("device", "rondo.properties.device")):
            with self.assertRaisesRegex(AttributeError, f"no attribute '{name}': .*{reason}"):
                getattr(ov, name)

    def test_reasons_of_properties(self):
        properties = ov.properties
        for module, name, reason in ((properties, "intel_gpu", "CPU and REFERENCE"),
                                     (properties, "intel_auto", "on one device"),
                                     (properties, "range_for_streams", "num_streams"),
                                     (properties.device, "Type", "CPU and REFERENCE"),
                                     (properties.hint, "compiled_blob", "import_model")):
            with self.assertRaisesRegex(AttributeError, f"no attribute '{name}': .*{reason}"):
                getattr(module, name)
        with self.assertRaisesRegex(AttributeError, "'rondo.properties' has no attribute 'nonsense'$"):
            properties.nonsense
        ov.Core().set_property("CPU", {properties.cache_mode: properties.CacheMode.OPTIMIZE_SPEED})


if __name__ == "__main__":
    support.main()
