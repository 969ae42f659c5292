"""Programs as OpenVINO's users write them, run with Rondo under the name `ov`.

RONDO_OV names another module to run them with: openvino itself, to see that they are true to it.
"""

import importlib
import os
import pathlib
import tempfile
import unittest

import numpy as np
import support

ov = importlib.import_module(os.environ.get("RONDO_OV", "rondo"))
ROOT = pathlib.Path(__file__).resolve().parents[3]
MODEL = str(ROOT / "tests/data/ir/lstm_model.xml")


class SnippetsTest(unittest.TestCase):
    def test_read_compile_infer(self):
        core = ov.Core()
        model = core.read_model(MODEL)
        compiled_model = core.compile_model(model, "CPU")
        input_layer = compiled_model.input(0)
        output_layer = compiled_model.output(0)
        data = np.random.default_rng(1).random(tuple(input_layer.shape), np.float32)
        result = compiled_model([data])[output_layer]
        self.assertEqual(result.shape, tuple(output_layer.shape))
        self.assertEqual(input_layer.any_name, "X")
        self.assertEqual(input_layer.get_any_name(), "X")
        self.assertEqual(input_layer.element_type, ov.Type.f32)
        self.assertEqual(input_layer.element_type.to_dtype(), np.float32)
        self.assertEqual(input_layer.partial_shape, ov.PartialShape([1, 2, 3]))
        self.assertEqual(list(input_layer.shape), [1, 2, 3])
        self.assertIn("X", input_layer.names)

    def test_the_short_way(self):
        compiled = ov.compile_model(MODEL, "CPU")
        x = np.ones((1, 2, 3), dtype=np.float32)
        by_list, by_name, by_index = compiled([x]), compiled({"X": x}), compiled({0: x})
        alone = compiled(x)
        for result in (by_name, by_index, alone):
            np.testing.assert_array_equal(result[0], by_list[0])
        first = next(iter(by_list.values()))
        np.testing.assert_array_equal(first, by_list[compiled.outputs[0]])
        self.assertEqual(len(by_list), len(compiled.outputs))

    def test_an_infer_request(self):
        compiled_model = ov.compile_model(MODEL, "CPU")
        infer_request = compiled_model.create_infer_request()
        input_data = np.ones((1, 2, 3), dtype=np.float32)
        input_tensor = ov.Tensor(array=input_data, shared_memory=True)
        infer_request.set_input_tensor(input_tensor)
        infer_request.start_async()
        infer_request.wait()
        output = infer_request.get_output_tensor(0)
        again = infer_request.infer({0: input_data})
        np.testing.assert_array_equal(output.data, again[0])
        np.testing.assert_array_equal(infer_request.get_output_tensor(0).data,
                                      infer_request.results[compiled_model.output(0)])
        self.assertEqual(infer_request.get_input_tensor().shape, ov.Shape([1, 2, 3]))
        self.assertEqual(infer_request.get_tensor("X").get_element_type(), ov.Type.f32)

    def test_filling_the_input_in_place(self):
        request = ov.compile_model(MODEL, "CPU").create_infer_request()
        request.input_tensors[0].data[:] = 1
        request.infer()
        expected = request.infer([np.ones((1, 2, 3), np.float32)])[0]
        np.testing.assert_array_equal(request.output_tensors[0].data, expected)

    def test_reshaping(self):
        core = ov.Core()
        model = core.read_model(support.unary(shape=(-1, 8)))
        self.assertTrue(model.is_dynamic())
        self.assertTrue(model.input(0).partial_shape[0].is_dynamic)
        self.assertEqual(model.input(0).partial_shape[1].get_length(), 8)
        model.reshape({model.input(0): ov.PartialShape([4, 8])})
        self.assertEqual(list(model.output(0).shape), [4, 8])
        model.reshape([ov.Dimension(1, 10), 8])
        self.assertEqual(model.input(0).partial_shape[0].max_length, 10)
        compiled = core.compile_model(model, "CPU")
        for rows in (1, 3, 10):
            self.assertEqual(compiled(np.zeros((rows, 8), np.float32))[0].shape, (rows, 8))

    def test_a_queue(self):
        core = ov.Core()
        compiled = core.compile_model(core.read_model(support.unary(shape=(1, 4))), "CPU")
        infer_queue = ov.AsyncInferQueue(compiled, 4)
        results = [None] * 16

        def callback(infer_request, userdata):
            results[userdata] = infer_request.get_output_tensor().data.copy()

        infer_queue.set_callback(callback)
        for i in range(16):
            infer_queue.start_async({0: np.full((1, 4), i, np.float32)}, userdata=i)
        infer_queue.wait_all()
        self.assertEqual([result[0, 0] for result in results], list(range(16)))
        self.assertTrue(infer_queue.is_ready())
        self.assertEqual(len(infer_queue), 4)

    def test_a_callback(self):
        compiled = ov.compile_model(MODEL, "CPU")
        request = compiled.create_infer_request()
        seen = []
        request.set_callback(lambda userdata: seen.append(userdata), {"id": 7})
        request.start_async({"X": np.zeros((1, 2, 3), np.float32)})
        request.wait()
        self.assertEqual(seen, [{"id": 7}])

    def test_devices_and_properties(self):
        core = ov.Core()
        self.assertIn("CPU", core.available_devices)
        core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1})
        self.assertEqual(core.get_property("CPU", "INFERENCE_NUM_THREADS"), 1)
        self.assertTrue(core.get_property("CPU", "FULL_DEVICE_NAME"))
        config = {"PERFORMANCE_HINT": "LATENCY", "PERF_COUNT": True}
        compiled = core.compile_model(MODEL, "CPU", config)
        self.assertTrue(compiled.get_property("PERF_COUNT"))
        self.assertEqual(compiled.get_property("EXECUTION_DEVICES"), ["CPU"])
        count = compiled.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
        self.assertGreaterEqual(count, 1)

    def test_profiling(self):
        compiled = ov.compile_model(MODEL, "CPU", {"PERF_COUNT": "YES"})
        request = compiled.create_infer_request()
        request.infer([np.ones((1, 2, 3), np.float32)])
        executed = [info for info in request.profiling_info
                    if info.status == ov.ProfilingInfo.Status.EXECUTED]
        self.assertTrue(executed)
        self.assertGreaterEqual(executed[0].real_time.total_seconds(), 0)

    def test_saving(self):
        core = ov.Core()
        model = core.read_model(MODEL)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.xml")
            ov.save_model(model, path, compress_to_fp16=False)
            x = np.ones((1, 2, 3), np.float32)
            np.testing.assert_array_equal(core.compile_model(path, "CPU")(x)[0],
                                          core.compile_model(MODEL, "CPU")(x)[0])
            ov.serialize(model, path)
            self.assertEqual(core.read_model(path).inputs[0].any_name, "X")

    def test_tensors(self):
        tensor = ov.Tensor(ov.Type.f32, ov.Shape([2, 3]))
        tensor.data[:] = 5
        self.assertEqual((tensor.size, tensor.byte_size, list(tensor.shape)), (6, 24, [2, 3]))
        other = ov.Tensor(np.zeros((2, 3), np.float32))
        tensor.copy_to(other)
        self.assertEqual(other.data.sum(), 30)
        self.assertEqual(ov.Tensor(ov.Type.f16, [1]).data.dtype, np.float16)
        self.assertEqual(ov.Tensor(np.array([True])).element_type, ov.Type.boolean)
        self.assertEqual(ov.Tensor([1.5, 2.5]).data.tolist(), [1.5, 2.5])

    def test_failures(self):
        core = ov.Core()
        with self.assertRaises(RuntimeError):
            core.read_model("nowhere.onnx")
        compiled = core.compile_model(MODEL, "CPU")
        with self.assertRaises(RuntimeError):
            compiled(np.ones((1, 2, 4), np.float32))
        with self.assertRaises(RuntimeError):
            compiled.input("nonsense")


if __name__ == "__main__":
    support.main()
