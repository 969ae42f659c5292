"""Reading models from wherever they are, looking at them, reshaping and saving them."""

import base64
import copy
import importlib.util
import io
import os
import pathlib
import shutil
import tempfile
import types
import unittest

import numpy as np
import rondo
import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
LSTM = ROOT / "tests/data/ir/lstm_model.xml"
# ONNX: y = x + h0, where h0 is an input with the default [10, 20].
SUM = base64.b64decode(
    "CAg6XAoPCgF4CgJoMBIBeSIDQWRkEgFnKhIIAhABQgJoMEoIAAAgQQAAoEFaDwoBeBIKCggIARIECgIIAloQCgJoMBIKCggI"
    "ARIECgIIAmIPCgF5EgoKCAgBEgQKAggCQgQKABAR")


class BatchTest(unittest.TestCase):
    def test_a_batch_gives_each_row_what_it_gives_alone(self):
        model = rondo.Core().read_model(DIGITS)
        model.set_batch(1)
        self.assertEqual(str(model.input(0).partial_shape), "[1,8,8]")
        model.set_batch(-1)
        compiled = rondo.compile_model(model)
        x = np.random.default_rng(1).random((5, 8, 8), np.float32)
        together = compiled(x)[0].copy()
        for row in range(5):
            np.testing.assert_array_equal(compiled(x[row:row + 1])[0], together[row:row + 1])
        with self.assertRaises(TypeError):
            model.set_batch({})


    def test_a_new_batch_axis_gives_each_row_what_it_gives_alone(self):
        model = rondo.Core().read_model(DIGITS)
        model.set_batch(2)
        alone = rondo.compile_model(model)
        lifted = model.clone()
        lifted.add_batch_axis()
        self.assertEqual(str(lifted.input(0).partial_shape), "[?,2,8,8]")
        compiled = rondo.compile_model(lifted)
        x = np.random.default_rng(1).random((5, 2, 8, 8), np.float32)
        together = compiled(x)[0].copy()
        for row in range(5):
            np.testing.assert_array_equal(alone(x[row])[0], together[row])
        model.add_batch_axis(3)
        self.assertEqual(str(model.input(0).partial_shape), "[3,2,8,8]")
        with self.assertRaises(TypeError):
            model.add_batch_axis({})


class ReadTest(unittest.TestCase):
    def setUp(self):
        self.core = rondo.Core()

    def test_paths_bytes_and_files(self):
        data = DIGITS.read_bytes()
        for source in (str(DIGITS), DIGITS, data, bytearray(data), memoryview(data),
                       io.BytesIO(data)):
            self.assertEqual(self.core.read_model(source).input(0).any_name, "pixels")

    def test_an_ir_and_its_weights(self):
        xml = LSTM.read_bytes()
        weights = LSTM.with_suffix(".bin").read_bytes()
        x = np.ones((1, 2, 3), np.float32)
        expected = rondo.compile_model(LSTM)(x)[0]
        tensor = rondo.Tensor(np.frombuffer(weights, np.uint8))
        for model in (self.core.read_model(LSTM, LSTM.with_suffix(".bin")),
                      self.core.read_model(xml, weights),
                      self.core.read_model(xml, tensor),
                      self.core.read_model(xml.decode(), tensor),
                      self.core.read_model("\ufeff" + xml.decode(), tensor),
                      self.core.read_model(xml.decode().encode("utf-16"), tensor),
                      self.core.read_model(xml.decode().encode("utf-16-be"), weights)):
            np.testing.assert_array_equal(self.core.compile_model(model)(x)[0], expected)
        compiled = self.core.compile_model(xml, "CPU", weights=bytearray(weights))
        np.testing.assert_array_equal(compiled(x)[0], expected)

    @unittest.skipUnless(importlib.util.find_spec("onnx"), "needs onnx")
    def test_a_model_proto(self):
        import onnx

        model = onnx.load(str(DIGITS))
        self.assertEqual(self.core.read_model(model).input(0).any_name, "pixels")
        compiled = rondo.compile_model(model, "CPU")
        self.assertEqual(compiled(np.zeros((1, 8, 8), np.float32))[0].shape, (1, 10))

    def test_what_cannot_be_read(self):
        with self.assertRaisesRegex(rondo.ModelError, "nowhere.onnx"):
            self.core.read_model("nowhere.onnx")
        with self.assertRaisesRegex(rondo.ModelError, "the model: it is empty"):
            self.core.read_model(b"")
        with self.assertRaisesRegex(rondo.ModelError, "the 4 bytes are not a model in a known format"):
            self.core.read_model(b"junk")
        with self.assertRaisesRegex(TypeError, "expected a model as a path, bytes.*int"):
            self.core.read_model(3)
        module = type("Module", (), {"state_dict": None})()
        with self.assertRaisesRegex(TypeError, r"Module'>; torch.onnx.export\(\) makes one"):
            self.core.read_model(module)
        with self.assertRaisesRegex(TypeError, "weights: expected bytes or a Tensor"):
            self.core.read_model(LSTM.read_bytes(), "weights.bin")
        with self.assertRaisesRegex(TypeError, "weights: expected a path"):
            self.core.read_model(LSTM, b"weights")
        with self.assertRaisesRegex(ValueError, "embedded null byte"):
            self.core.read_model("a\0.onnx")
        with self.assertRaisesRegex(ValueError, "embedded null byte"):
            rondo.save_model(self.core.read_model(LSTM), "a\0.xml")

    def test_names_of_files_that_are_no_utf_8(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.fsdecode(b"caf\xe9.onnx"))
            shutil.copy(DIGITS, path)
            self.assertEqual(self.core.read_model(path).input(0).any_name, "pixels")
            with self.assertRaisesRegex(rondo.ModelError, r"caf\\xe9.*: can't read the file"):
                self.core.read_model(path + ".none")

    def test_errors_are_runtime_errors_of_the_package(self):
        self.assertTrue(issubclass(rondo.ModelError, rondo.Error))
        self.assertTrue(issubclass(rondo.UnsupportedError, rondo.Error))
        self.assertTrue(issubclass(rondo.CancelledError, rondo.Error))
        self.assertTrue(issubclass(rondo.InternalError, rondo.Error))
        self.assertTrue(issubclass(rondo.OutOfMemoryError, rondo.Error))
        self.assertTrue(issubclass(rondo.OutOfMemoryError, MemoryError))
        self.assertTrue(issubclass(rondo.Error, RuntimeError))
        self.assertEqual(rondo.ModelError.__module__, "rondo")
        self.assertEqual(rondo.Tensor.__module__, "rondo")


class PortsTest(unittest.TestCase):
    def setUp(self):
        self.model = rondo.Core().read_model(support.two_in_two_out())

    def test_ports_by_index_name_and_port(self):
        a, b = self.model.inputs
        self.assertEqual((a.any_name, b.any_name, b.index), ("a", "b", 1))
        self.assertEqual(self.model.input("b"), b)
        self.assertEqual(self.model.input(1), b)
        self.assertEqual(self.model.input(b), b)
        self.assertNotEqual(a, b)
        self.assertEqual(len({a, b, self.model.input(0)}), 2)
        self.assertEqual((a.names, a.shape, a.element_type), ({"a"}, [1, 4], "f32"))
        self.assertEqual(a.get_partial_shape(), [1, 4])
        self.assertEqual([port.any_name for port in self.model.outputs], ["sum", "difference"])
        self.assertIn("names[a]", repr(a))

    def test_ports_of_one_model_name_those_of_another(self):
        compiled = rondo.compile_model(self.model)
        self.assertEqual(compiled.output(self.model.output("difference")).index, 1)
        self.assertNotEqual(compiled.output(0), self.model.output(0))

    def test_names_that_were_meant(self):
        with self.assertRaisesRegex(rondo.ModelError,
                                    r"'differnce'; did you mean 'difference'\? There are: 'sum'"):
            self.model.output("differnce")
        with self.assertRaisesRegex(rondo.ModelError, r"did you mean 'NUM_STREAMS'\? There are"):
            rondo.Core().get_property("CPU", "NUM_STREAM")

    def test_ports_that_are_not_there(self):
        with self.assertRaisesRegex(rondo.ModelError, "no input 'c'; there are: 'a', 'b'"):
            self.model.input("c")
        with self.assertRaisesRegex(rondo.ModelError, "no output 2; there are 2"):
            self.model.output(2)
        with self.assertRaisesRegex(rondo.ModelError, "no output -1; there are 2"):
            self.model.output(-1)
        with self.assertRaisesRegex(rondo.ModelError, "the model has 2 inputs; name the one"):
            self.model.input()
        with self.assertRaisesRegex(rondo.ModelError, "input 'a' is not an output"):
            self.model.output(self.model.input(0))
        with self.assertRaisesRegex(TypeError, "named by an index, a name or a port"):
            self.model.input(1.5)


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.model = rondo.Core().read_model(support.unary(shape=(-1, 8)))

    def test_it_tells_about_itself(self):
        self.assertEqual((self.model.name, self.model.get_friendly_name()), ("test", "test"))
        self.assertTrue(self.model.is_dynamic() and self.model.dynamic)
        self.assertIn("<Model: 'test'", repr(self.model))
        self.assertIn("ReLU", self.model.to_text())
        node = self.model.get_ordered_ops()[1]
        self.assertEqual((node.get_type_name(), node.friendly_name, node.opset),
                         ("Relu", "ReLU_1", "opset1"))
        self.assertEqual(self.model.get_ops()[0].get_attributes()["element_type"], "f32")

    def test_reshape(self):
        for shapes in ([2, 8], (2, 8), "2,8", rondo.PartialShape([2, 8]), {"x": [2, 8]},
                       {0: [2, 8]}, types.MappingProxyType({"x": [2, 8]}), {self.model.input(0): rondo.Shape([2, 8])}):
            model = self.model.clone()
            model.reshape(shapes)
            self.assertEqual(model.output(0).shape, [2, 8])
            self.assertFalse(model.is_dynamic())
        self.model.reshape([(1, 4), 8])
        self.assertEqual(self.model.output().partial_shape, "1..4,8")

    def test_reshape_refuses(self):
        with self.assertRaisesRegex(rondo.ModelError, "no input 'z'"):
            self.model.reshape({"z": [1, 8]})
        with self.assertRaisesRegex(rondo.ModelError, "reshape: input 'x' is given twice"):
            self.model.reshape({"x": [1, 8], 0: [2, 8]})
        with self.assertRaisesRegex(TypeError, "reshape: expected a shape"):
            self.model.reshape(3)
        with self.assertRaisesRegex(rondo.ModelError, "can't be -5"):
            self.model.reshape([-5, 8])

    def test_clones_are_independent(self):
        for twin in (self.model.clone(), copy.deepcopy(self.model)):
            twin.reshape([3, 8])
            self.assertTrue(self.model.is_dynamic())

    def test_inputs_with_initializers(self):
        core = rondo.Core()
        model = core.read_model(SUM)
        for find in (lambda: model.input("h0"),
                     lambda: model.reshape({"h0": [2]}),
                     lambda: core.compile_model(model).input("h0"),
                     lambda: core.compile_model(model)({"h0": np.ones(2, np.float32)}),
                     lambda: core.compile_model(model).create_infer_request().get_tensor("h0")):
            with self.assertRaisesRegex(rondo.ModelError, "'h0'; it has an initializer.* KEEP_INPUTS=YES"):
                find()
        keep = {rondo.properties.keep_inputs: True}
        kept = core.read_model(SUM, config=keep)
        self.assertEqual([port.any_name for port in kept.inputs], ["x", "h0"])
        feeds = {"x": np.array([1, 2], np.float32), "h0": np.array([3, 4], np.float32)}
        for compiled in (core.compile_model(kept), core.compile_model(SUM, "CPU", keep)):
            np.testing.assert_array_equal(compiled(feeds)[0], [4, 6])
        core.set_property(keep)
        self.assertIs(core.get_property("KEEP_INPUTS"), True)
        self.assertEqual(len(core.read_model(SUM).inputs), 2)
        with self.assertRaisesRegex(rondo.ModelError, "KEEP_INPUTS': got 'maybe'"):
            core.read_model(SUM, None, {"KEEP_INPUTS": "maybe"})

    def test_saving(self):
        x = np.ones((1, 2, 3), np.float32)
        model = rondo.convert_model(LSTM)
        expected = rondo.compile_model(model)(x)[0]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "saved.xml"
            rondo.save_model(model, path)
            np.testing.assert_array_equal(rondo.compile_model(path)(x)[0], expected)
            rondo.serialize(model, str(path), str(path.with_suffix(".bin")), "IR_V11")
            np.testing.assert_array_equal(rondo.compile_model(str(path))(x)[0], expected)
            size = path.with_suffix(".bin").stat().st_size
            rondo.save_model(model, path, compress_to_fp16=True)
            self.assertLess(path.with_suffix(".bin").stat().st_size, size)
            half = path.with_suffix(".bin").read_bytes()
            rondo.save_model(model, path, weights_type=rondo.Type.f16)
            self.assertEqual(path.with_suffix(".bin").read_bytes(), half)
            rondo.save_model(model, path, weights_type="bf16")
            self.assertNotEqual(path.with_suffix(".bin").read_bytes(), half)
            self.assertLess(path.with_suffix(".bin").stat().st_size, size)
            with self.assertRaisesRegex(rondo.ModelError, "weights_type, not both"):
                rondo.save_model(model, path, True, weights_type="bf16")
            with self.assertRaisesRegex(rondo.ModelError, "i8"):
                rondo.save_model(model, path, weights_type="i8")
            onnx = pathlib.Path(folder) / "saved.onnx"
            rondo.save_model(model, onnx)
            np.testing.assert_array_equal(rondo.compile_model(onnx)(x)[0], expected)
            with self.assertRaisesRegex(rondo.ModelError, "external data is for ONNX"):
                rondo.save_model(model, path, external_data=True)
            rondo.serialize(model, onnx)
            np.testing.assert_array_equal(rondo.compile_model(onnx)(x)[0], expected)
            with self.assertRaisesRegex(rondo.ModelError, "a name that ends in .xml or .onnx"):
                rondo.save_model(model, pathlib.Path(folder) / "saved.pb")
            with self.assertRaisesRegex(rondo.UnsupportedError, "the weights go beside the XML"):
                rondo.serialize(model, path, "elsewhere.bin")
            with self.assertRaisesRegex(rondo.UnsupportedError, "got version 'IR_V10'"):
                rondo.serialize(model, path, version="IR_V10")
            with self.assertRaises(rondo.ModelError):
                rondo.save_model(model, pathlib.Path(folder) / "missing" / "saved.xml")

    def test_saving_with_external_data(self):
        model = rondo.Core().read_model(DIGITS)
        x = np.random.default_rng(1).random((2, 8, 8), np.float32)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.onnx"
            rondo.save_model(model, path, external_data=True)
            self.assertEqual(sorted(os.listdir(folder)), ["m.onnx", "m.onnx.data"])
            np.testing.assert_array_equal(rondo.compile_model(path)(x)[0],
                                          rondo.compile_model(DIGITS)(x)[0])


if __name__ == "__main__":
    support.main()
