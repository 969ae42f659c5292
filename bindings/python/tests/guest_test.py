"""What hosts need: models as pickles, states as bytes, weights in memory, queries, default threads."""

import copy
import multiprocessing
import pathlib
import pickle
import unittest

import numpy as np
import rondo
import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
LSTM = ROOT / "tests/data/ir/lstm_model.xml"


def answer(compiled, x):
    return compiled(x)[0]


class PickleTest(unittest.TestCase):
    def test_models_keep_names_shapes_and_bits(self):
        model = rondo.Core().read_model(LSTM)
        loaded = pickle.loads(pickle.dumps(model))
        for ports, others in ((model.inputs, loaded.inputs), (model.outputs, loaded.outputs)):
            self.assertEqual([(p.names, str(p.partial_shape), p.element_type) for p in ports],
                             [(p.names, str(p.partial_shape), p.element_type) for p in others])
        shapes = [[d.get_length() if d.is_static else 3 for d in p.partial_shape]
                  for p in model.inputs]
        inputs = [np.random.default_rng(1).random(shape, np.float32) for shape in shapes]
        expected = rondo.compile_model(model)(inputs)
        found = rondo.compile_model(loaded)(inputs)
        for i in range(len(model.outputs)):
            np.testing.assert_array_equal(found[i], expected[i])

    def test_compiled_models_go_to_other_processes(self):
        compiled = rondo.compile_model(DIGITS, "CPU", {"INFERENCE_NUM_THREADS": 1,
                                                       "PERFORMANCE_HINT": "THROUGHPUT"})
        x = np.random.default_rng(2).random((2, 8, 8), np.float32)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found = pool.apply(answer, (compiled, x))
        np.testing.assert_array_equal(found, compiled(x)[0])
        loaded = pickle.loads(pickle.dumps(compiled))
        self.assertEqual(loaded.get_property("PERFORMANCE_HINT"), "THROUGHPUT")

    def test_what_changes_numbers_is_kept(self):
        compiled = rondo.compile_model(LSTM, "CPU", {"INFERENCE_PRECISION_HINT": "bf16"})
        inputs = [np.random.default_rng(3).random(
            [d.get_length() if d.is_static else 3 for d in port.partial_shape], np.float32)
            for port in compiled.inputs]
        loaded = pickle.loads(pickle.dumps(compiled))
        self.assertEqual(str(loaded.get_property("INFERENCE_PRECISION_HINT")),
                         str(compiled.get_property("INFERENCE_PRECISION_HINT")))
        found, expected = loaded(inputs), compiled(inputs)
        exact = rondo.compile_model(LSTM)(inputs)
        np.testing.assert_array_equal(found[0], expected[0])
        self.assertFalse(np.array_equal(found[0], exact[0]))

    def test_the_device_is_kept(self):
        compiled = rondo.compile_model(support.running_sum(), "REFERENCE")
        loaded = pickle.loads(pickle.dumps(compiled))
        self.assertEqual(loaded.get_property("EXECUTION_DEVICES"), ["REFERENCE"])

    def test_copies(self):
        model = rondo.Core().read_model(support.running_sum())
        for other in (copy.copy(model), copy.deepcopy(model)):
            other.reshape({"x": [5, 2]})
            self.assertEqual(str(model.input(0).partial_shape), "[?,2]")
        compiled = rondo.compile_model(model)
        for other in (copy.copy(compiled), copy.deepcopy(compiled)):
            stream = other.create_stream_pool().open()
            self.assertEqual(stream.infer(np.float32([[1, 2]]))[0].tolist(), [[1, 2]])


class StateTest(unittest.TestCase):
    def test_a_stream_goes_on_elsewhere(self):
        stream = rondo.compile_model(support.running_sum()).create_stream_pool().open()
        stream.push(np.float32([[1, 2]]))
        state = pickle.loads(pickle.dumps(stream.save_state()))
        self.assertIsInstance(state, bytes)
        other = rondo.compile_model(support.running_sum()).create_stream_pool().open()
        other.load_state(state)
        self.assertEqual(other.infer(np.float32([[1, 1]]))[0].tolist(), [[2, 3]])
        with self.assertRaisesRegex(rondo.ModelError, "are not the state of a stream"):
            other.load_state(b"nothing")
        with self.assertRaises(TypeError):
            other.load_state("text")


class QueryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import onnx
        except ImportError:
            raise unittest.SkipTest("python3-onnx is missing") from None
        cls.helper = onnx.helper
        cls.types = onnx.TensorProto

    def model(self, *nodes, initializers=()):
        value = self.helper.make_tensor_value_info
        graph = self.helper.make_graph(
            nodes, "g", [value("x", self.types.FLOAT, [2])], [value("y", self.types.FLOAT, [2])],
            initializers)
        return self.helper.make_model(graph, opset_imports=[self.helper.make_opsetid("", 17)])

    def test_rows(self):
        model = self.model(self.helper.make_node("Relu", ["x"], ["a"], name="first"),
                           self.helper.make_node("Nonsense", ["a"], ["y"]))
        for form in (model, model.SerializeToString()):
            rows = rondo.Core().query_nodes(form)
            self.assertEqual([(row.name, row.op_type, row.supported) for row in rows],
                             [("first", "Relu", True), ("Nonsense_1", "Nonsense", False)])
            self.assertTrue(rows[0])
            self.assertIn("unsupported operator Nonsense", rows[1].reason)
            self.assertIn("Nonsense_1", repr(rows[1]))
        with self.assertRaises(TypeError):
            rondo.Core().query_nodes(3)
        with self.assertRaises(rondo.ModelError):
            rondo.Core().query_nodes(b"nothing")
        self.assertTrue(all(rondo.Core().query_nodes(DIGITS)))

    def test_weights_in_memory(self):
        tensor = self.types(name="w", data_type=self.types.FLOAT, dims=[2],
                            data_location=self.types.EXTERNAL)
        tensor.external_data.add(key="location", value="file")
        model = self.model(self.helper.make_node("Add", ["x", "w"], ["y"]),
                           initializers=[tensor])
        numbers = np.float32([10, 20])
        for file in (numbers, numbers.tobytes(), memoryview(numbers), rondo.Tensor(numbers),
                     numbers.reshape(2, 1)):
            read = rondo.Core().read_model(model.SerializeToString(), weights={"file": file})
            self.assertEqual(rondo.compile_model(read)(np.float32([1, 2]))[0].tolist(), [11, 22])
            self.assertTrue(rondo.Core().query_nodes(model, weights={"file": file})[0])
        with self.assertRaisesRegex(rondo.ModelError, "without that file"):
            rondo.Core().read_model(model.SerializeToString(), weights={"other": numbers})
        for wrong in ({"file": 3}, {3: numbers}):
            with self.assertRaises(TypeError):
                rondo.Core().read_model(model.SerializeToString(), weights=wrong)


class ThreadsTest(unittest.TestCase):
    def test_the_default(self):
        def threads():
            return rondo.compile_model(support.running_sum()).get_property("INFERENCE_NUM_THREADS")

        usual = threads()
        rondo.set_default_threads(usual + 1)
        try:
            self.assertEqual(threads(), usual + 1)
        finally:
            rondo.set_default_threads(0)
        self.assertEqual(threads(), usual)
        for wrong in (-1, 2000):
            with self.assertRaises(rondo.ModelError):
                rondo.set_default_threads(wrong)


if __name__ == "__main__":
    support.main()
