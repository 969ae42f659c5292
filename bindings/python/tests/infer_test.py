"""Inference: what may go in, how results are found, whose memory is used, which calls may overlap."""

import collections.abc
import datetime
import gc
import importlib.util
import pathlib
import threading
import types
import unittest

import numpy as np
import rondo
import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
DETECTOR = ROOT / "docs/examples/streaming/detector.xml"


def address(array):
    return array.__array_interface__["data"][0]


class InputsTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(support.two_in_two_out())
        self.a = np.float32([[1, 2, 3, 4]])
        self.b = np.float32([[1, 1, 2, 2]])

    def check(self, result):
        np.testing.assert_array_equal(result["sum"], self.a + self.b)
        np.testing.assert_array_equal(result["difference"], self.a - self.b)

    def test_every_way_to_name_inputs(self):
        a, b = self.a, self.b
        ports = self.compiled.inputs
        for inputs in ({"a": a, "b": b}, {0: a, 1: b}, {ports[0]: a, ports[1]: b}, [a, b], (a, b),
                       {"a": a, 1: b}, {"a": rondo.Tensor(a), "b": b}, [a.tolist(), b.tolist()],
                       types.MappingProxyType({"a": a, "b": b})):
            self.check(self.compiled(inputs))
            self.check(self.compiled(inputs, share_inputs=False))
            self.check(self.compiled.infer_new_request(inputs))
            request = self.compiled.create_infer_request()
            self.check(request.infer(inputs))
            self.check(request.infer(inputs, share_inputs=True, share_outputs=True))

    def test_inputs_that_were_set_stay(self):
        request = self.compiled.create_infer_request()
        request.infer([self.a, self.b])
        self.check(request.infer())
        self.check(request.infer({"b": self.b}))
        self.check(request.infer([self.a]))

    def test_a_single_input(self):
        compiled = rondo.compile_model(support.unary())
        x = np.float32([[-1, 1, -2, 2, 0, 0, 3, -3]])
        for inputs in (x, rondo.Tensor(x), [x], {"x": x}, {0: x}):
            np.testing.assert_array_equal(compiled(inputs)[0], np.maximum(x, 0))
        with self.assertRaisesRegex(rondo.ModelError, "the model has 2 inputs; name the one"):
            self.compiled(x)

    def test_inputs_that_do_not_fit(self):
        for inputs, message in (
                ({"c": self.a}, "no input 'c'; there are: 'a', 'b'"),
                ({7: self.a}, "no input 7; there are 2"),
                ({-1: self.a}, "no input -1; there are 2"),
                ([self.a] * 3, "got a list of 3 inputs; the model has 2"),
                ([self.a[0], self.b],
                 r"input 'a': got an array of shape \[4\]; expected f32\[1,4\]"),
                ({"a": rondo.Tensor("f64", [1, 4])}, r"input 'a': got f64\[1,4\]; expected f32"),
                ({"a": self.a, 0: self.a, 1: self.b}, "input 'a': is given twice"),
                ([[[1, 2], [1]], self.b], "input 'a': can't be read as an array")):
            with self.assertRaisesRegex(rondo.ModelError, message):
                self.compiled(inputs)
        with self.assertRaisesRegex(rondo.ModelError, "input 'b' f32.* was not set"):
            self.compiled.create_infer_request().infer([self.a])
        with self.assertRaisesRegex(TypeError, "an index, a name or a port"):
            self.compiled({None: self.a})
        with self.assertRaises(IndexError):
            self.compiled({1 << 80: self.a})

    # The request that is kept for calls must not fill in what an earlier one gave.
    def test_a_call_needs_all_inputs(self):
        self.check(self.compiled([self.a, self.b]))
        for inputs, count in ([self.a], 1), ({"b": self.b}, 1), ({}, 0):
            message = f"got {count} of the model's 2 inputs; a call of a compiled model needs all"
            with self.assertRaisesRegex(rondo.ModelError, message):
                self.compiled(inputs)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs torch")
    def test_tensors_of_torch(self):
        import torch

        self.check(self.compiled([torch.from_numpy(self.a), torch.from_numpy(self.b)]))


class ResultsTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(support.two_in_two_out())
        ones = np.ones((1, 4), np.float32)
        self.result = self.compiled([ones, ones])

    def test_found_by_index_name_and_port(self):
        result = self.result
        for key in (0, "sum", self.compiled.output(0), np.int64(0)):
            self.assertEqual(result[key].tolist(), [[2, 2, 2, 2]])
            self.assertIn(key, result)
        self.assertEqual(result.get("sum")[0, 0], 2)
        self.assertIsNone(result.get("other"))

    def test_a_mapping(self):
        result = self.result
        self.assertIsInstance(result, collections.abc.Mapping)
        self.assertEqual(len(result), 2)
        self.assertEqual(list(result), self.compiled.outputs)
        self.assertEqual(list(result.keys()), self.compiled.outputs)
        self.assertEqual([array[0, 0] for array in result.values()], [2, 0])
        self.assertEqual([port.any_name for port, _ in result.items()], ["sum", "difference"])
        self.assertEqual(result.names(), ({"sum"}, {"difference"}))
        first, second = result.to_tuple()
        self.assertEqual((first[0, 0], second[0, 0]), (2, 0))
        self.assertEqual(dict(result)[self.compiled.output(1)][0, 0], 0)
        self.assertEqual(set(result.to_dict()), set(self.compiled.outputs))
        self.assertIn("sum", repr(result))

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(KeyError, "no output 'other'; there are: 'sum', 'difference'"):
            self.result["other"]
        with self.assertRaises(KeyError):
            self.result[2]
        with self.assertRaisesRegex(KeyError, "the name of an output: got .*udc80"):
            self.result["\udc80"]
        with self.assertRaises(TypeError):
            self.result[None]


class MemoryTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(support.unary(shape=(1, 4)))
        self.request = self.compiled.create_infer_request()
        self.x = np.float32([[1, -1, 2, -2]])

    def test_results_are_copies_by_default(self):
        first = self.request.infer(self.x)[0]
        self.request.infer(self.x * 2)
        self.assertEqual(first.tolist(), [[1, 0, 2, 0]])

    def test_shared_results_are_the_request_s(self):
        first = self.request.infer(self.x, share_outputs=True)[0]
        self.assertEqual(address(first), address(self.request.get_output_tensor().data))
        self.request.infer(self.x * 2)
        self.assertEqual(first.tolist(), [[2, 0, 4, 0]])
        self.request = self.compiled = None
        gc.collect()
        self.assertEqual(first.tolist(), [[2, 0, 4, 0]])

    def test_inputs_are_copied_or_shared(self):
        self.request.infer(self.x, share_inputs=True)
        self.assertEqual(address(self.request.get_input_tensor().data), address(self.x))
        self.request.infer(self.x)
        own = address(self.request.get_input_tensor().data)
        self.assertNotEqual(own, address(self.x))
        self.request.infer(self.x * 3)
        self.assertEqual(address(self.request.get_input_tensor().data), own)

    def test_copying_leaves_a_bound_array_alone(self):
        bound = np.zeros((1, 4), np.float32)
        self.request.set_input_tensor(rondo.Tensor(bound, shared_memory=True))
        self.request.infer(self.x)
        self.assertFalse(bound.any())

    def test_bound_tensors_are_read_and_written(self):
        x = np.zeros((1, 4), np.float32)
        y = np.zeros((1, 4), np.float32)
        self.request.set_tensor("x", rondo.Tensor(x, shared_memory=True))
        self.request.set_tensor("y", rondo.Tensor(y, shared_memory=True))
        x[:] = self.x
        self.request.infer()
        self.assertEqual(y.tolist(), [[1, 0, 2, 0]])
        x[:] = -self.x
        self.request.infer()
        self.assertEqual(y.tolist(), [[0, 1, 0, 2]])

    def test_the_request_s_tensors_can_be_filled(self):
        self.request.get_tensor("x").data[:] = self.x
        self.request.infer()
        self.assertEqual(self.request.get_tensor("y").data.tolist(), [[1, 0, 2, 0]])
        self.assertEqual(self.request.results["y"].tolist(), [[1, 0, 2, 0]])

    def test_read_only_arrays(self):
        self.x.flags.writeable = False
        self.assertEqual(self.request.infer(self.x, share_inputs=True)[0].tolist(), [[1, 0, 2, 0]])
        self.assertFalse(self.request.get_tensor("x").data.flags.writeable)
        with self.assertRaisesRegex(rondo.ModelError, "output 'y' can't be written to a read-only"):
            self.request.set_output_tensor(rondo.Tensor(self.x, shared_memory=True))

    def test_results_may_go_in_again(self):
        compiled = rondo.compile_model(support.two_in_two_out())
        a = b = np.ones((1, 4), np.float32)
        for _ in range(3):
            result = compiled([a, b], share_outputs=True)
            a, b = result["sum"], result["difference"]
        self.assertEqual((a.tolist(), b.tolist()), ([[4] * 4], [[0] * 4]))

    def test_the_request_s_own_input_may_go_in_again(self):
        self.request.infer(self.x)
        view = self.request.get_input_tensor().data
        self.assertEqual(self.request.infer(view[:, ::-1])[0].tolist(), [[0, 2, 0, 1]])
        self.assertEqual(self.request.infer(view)[0].tolist(), [[0, 2, 0, 1]])

    def test_bound_arrays_stay_alive(self):
        self.request.set_input_tensor(rondo.Tensor(self.x.copy(), shared_memory=True))
        gc.collect()
        self.assertEqual(self.request.infer()[0].tolist(), [[1, 0, 2, 0]])


class RequestTest(unittest.TestCase):
    def setUp(self):
        self.compiled = rondo.compile_model(support.two_in_two_out(), "CPU", {"PERF_COUNT": True})
        self.request = self.compiled.create_infer_request()
        self.ones = rondo.Tensor(np.ones((1, 4), np.float32))

    def test_tensors_by_every_key(self):
        request, ones = self.request, self.ones
        request.set_tensor("a", ones)
        request.set_tensor(self.compiled.input(1), ones)
        self.assertEqual(request.infer()[0].tolist(), [[2, 2, 2, 2]])
        request.set_input_tensor(1, rondo.Tensor(np.full((1, 4), 5, np.float32)))
        self.assertEqual(request.infer()[0][0, 0], 6)
        request.set_tensors({"a": ones, "b": ones})
        self.assertEqual(request.infer()[0][0, 0], 2)
        request.set_input_tensors({0: ones, 1: ones})
        request.set_input_tensors([ones, ones])
        request.set_output_tensors({"sum": rondo.Tensor("f32", [1, 4])})
        request.set_output_tensor(1, rondo.Tensor("f32", [1, 4]))
        self.assertEqual(request.infer()[0][0, 0], 2)
        self.assertEqual(request.get_tensor(self.compiled.output(0)).data[0, 0], 2)
        self.assertEqual(request.get_tensor("sum").data[0, 0], 2)
        self.assertEqual(request.get_output_tensor(1).data[0, 0], 0)
        self.assertEqual([len(request.input_tensors), len(request.output_tensors)], [2, 2])
        self.assertEqual(request.model_inputs, self.compiled.inputs)
        self.assertEqual(request.model_outputs, self.compiled.outputs)
        self.assertEqual(request.get_compiled_model().outputs, self.compiled.outputs)

    def test_what_is_no_tensor(self):
        request, array = self.request, np.ones((1, 4), np.float32)
        for call, place in ((lambda: request.set_tensor("b", array), "input 'b'"),
                            (lambda: request.set_tensors({"sum": array}), "output 'sum'"),
                            (lambda: request.set_input_tensors([self.ones, array]), "input 'b'"),
                            (lambda: request.set_output_tensors({1: array}), "output 'difference'")):
            with self.assertRaisesRegex(TypeError, f"{place}: got ndarray; expected a Tensor"):
                call()

    def test_keys_that_are_not_there(self):
        with self.assertRaisesRegex(rondo.ModelError,
                                    "no input or output 'z'; there are: 'a', 'b', 'sum'"):
            self.request.set_tensor("z", self.ones)
        with self.assertRaisesRegex(rondo.ModelError, "no input or output 'z'"):
            self.request.get_tensor("z")
        with self.assertRaisesRegex(rondo.ModelError, "no input 2"):
            self.request.set_input_tensor(2, self.ones)
        with self.assertRaisesRegex(rondo.ModelError, "the model has 2 inputs"):
            self.request.set_input_tensor(self.ones)
        with self.assertRaisesRegex(TypeError, "by its name or port"):
            self.request.get_tensor(0)
        with self.assertRaisesRegex(rondo.ModelError, "the name of a tensor: got .*udc80"):
            self.request.get_tensor("\udc80")
        with self.assertRaisesRegex(rondo.ModelError, "has no tensor yet"):
            self.request.get_output_tensor(0)
        with self.assertRaisesRegex(rondo.UnsupportedError, "strides"):
            self.request.set_output_tensor(
                0, rondo.Tensor(np.zeros((1, 8), np.float32)[:, ::2], shared_memory=True))

    def test_profiling_and_latency(self):
        self.request.infer([self.ones, self.ones])
        self.assertGreater(self.request.latency, 0)
        rows = {row.node_type: row for row in self.request.profiling_info}
        self.assertIn("Add", rows)
        self.assertEqual(rows["Add"].status, rondo.ProfilingInfo.Status.EXECUTED)
        self.assertIsInstance(rows["Add"].real_time, datetime.timedelta)
        self.assertGreater(rows["Add"].real_time_ns, 0)
        self.assertTrue(rows["Add"].exec_type and rows["Add"].node_name)
        plain = rondo.compile_model(support.unary()).create_infer_request()
        plain.infer(np.zeros((1, 8), np.float32))
        self.assertEqual(plain.get_profiling_info(), [])

    def test_a_layers_profile_tells_kernel_and_strategy(self):
        compiled = rondo.compile_model(str(DETECTOR), "CPU", {"PERF_COUNT": "YES"})
        request = compiled.create_infer_request()
        state = np.zeros((1, 1, 24), np.float32)
        request.infer({"audio": np.zeros((1, 3, 16), np.float32), "h": state, "c": state})
        (row,) = (row for row in request.profiling_info if row.node_type == "LSTMSequence")
        self.assertRegex(row.exec_type, r"^lstm_(avx512|avx2|plain)_f32 (serial|\w+_split \d+)$")
        self.assertEqual(row.status, rondo.ProfilingInfo.Status.EXECUTED)
        self.assertGreater(row.real_time_ns, 0)

    def test_the_nodes_of_a_body_have_rows_of_their_own(self):
        walk = ROOT / "tests/data/ir/openvino_tensor_iterator.xml"
        compiled = rondo.compile_model(str(walk), "CPU", {"PERF_COUNT": "YES"})
        request = compiled.create_infer_request()
        request.infer({"x": np.zeros((2, 3, 4), np.float32), "h": np.zeros((2, 4), np.float32)})
        inside = [row for row in request.profiling_info if row.node_name.startswith("ti/")]
        executed = [row for row in inside if row.status == rondo.ProfilingInfo.Status.EXECUTED]
        self.assertTrue(executed)
        self.assertTrue(all(row.real_time_ns > 0 for row in executed))

    def test_what_the_device_made_of_the_model(self):
        self.assertIn("Add", [row.node_type for row in self.compiled.kernels])
        self.assertTrue(all(row.kernel for row in self.compiled.kernels))
        self.assertIn("Add", self.compiled.get_runtime_model().to_text())


class ThreadsTest(unittest.TestCase):
    def test_other_threads_run_during_an_inference(self):
        compiled = rondo.compile_model(support.slow_chain())
        request = compiled.create_infer_request()
        request.set_input_tensor(rondo.Tensor(np.eye(200, dtype=np.float32)))
        thread = threading.Thread(target=request.infer)
        thread.start()
        refused = 0
        while thread.is_alive():
            try:
                request.infer()
            except rondo.ModelError as error:
                self.assertIn("the request is busy", str(error))
                refused += 1
        thread.join()
        self.assertGreater(refused, 0)

    def test_a_compiled_model_is_called_from_many_threads(self):
        compiled = rondo.compile_model(support.unary(shape=(1, 64)))
        wrong = []

        def work(value):
            x = np.full((1, 64), value, np.float32)
            for _ in range(2000):
                if not (compiled(x)[0] == value).all():
                    wrong.append(value)

        support.run_in_threads(work, 8)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    support.main()
