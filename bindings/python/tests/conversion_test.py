"""Inputs of other types, strides and ranks than the model's."""

import unittest

import numpy as np
import rondo
import support


class ConversionTest(unittest.TestCase):
    def infer(self, element_type, array):
        return rondo.compile_model(support.passing(element_type, np.shape(array)))([array])[0]

    def test_every_type_passes(self):
        for name in ("boolean", "f64", "f32", "f16", "i64", "i32", "i16", "i8", "u64", "u32", "u16",
                     "u8"):
            with self.subTest(name):
                array = np.array([[1, 0, 1], [0, 1, 1]], rondo.Type(name).to_dtype())
                result = self.infer(name, array)
                self.assertEqual(result.dtype, array.dtype)
                np.testing.assert_array_equal(result, array)

    def test_numbers_become_floats(self):
        for array in (np.float64([1.5]), np.int64([3]), np.array([True]), np.float16([2.5]),
                      [1, 2.5], np.array([1.5], ">f4")):
            result = self.infer("f32", array)
            self.assertEqual(result.dtype, np.float32)
            np.testing.assert_array_equal(result, array)

    def test_whole_numbers_become_integers_that_hold_them(self):
        self.assertEqual(self.infer("u8", [0, 255]).tolist(), [0, 255])
        self.assertEqual(self.infer("i32", np.uint64([7])).tolist(), [7])
        self.assertEqual(self.infer("boolean", [0, 1]).tolist(), [False, True])
        self.assertEqual(self.infer("i32", np.int64(7)).tolist(), 7)  # a scalar
        for element_type, array in (("u8", [256]), ("u8", [-1]), ("i32", [1 << 40]),
                                    ("boolean", [2]), ("u64", np.int64([-1])),
                                    ("i64", np.uint64([1 << 63]))):
            with self.assertRaisesRegex(rondo.ModelError,
                                        "input 'x': holds values of .* can't hold"):
                self.infer(element_type, array)

    def test_finite_numbers_stay_finite(self):
        np.testing.assert_array_equal(self.infer("f32", np.float64([np.inf, np.nan, 1e38])),
                                      np.float32([np.inf, np.nan, 1e38]))
        for element_type, array in (("f32", np.float64([1e39])), ("f16", np.int64([70000])),
                                    ("f16", np.float32([np.inf, -70000]))):
            with self.assertRaisesRegex(rondo.ModelError,
                                        "input 'x': holds values of .* can't hold"):
                self.infer(element_type, array)

    def test_floats_wider_than_any_of_ours(self):
        np.testing.assert_array_equal(self.infer("f32", np.longdouble([1.5, np.nan])),
                                      np.float32([1.5, np.nan]))
        if np.finfo(np.longdouble).maxexp > 1024:
            with self.assertRaisesRegex(rondo.ModelError, "that float32 can't hold"):
                self.infer("f32", np.longdouble(["1e400"]))

    def test_fractions_do_not_become_integers(self):
        for element_type in ("i64", "boolean"):
            with self.assertRaisesRegex(rondo.ModelError,
                                        "input 'x': got an array of float64; expected .* a loss"):
                self.infer(element_type, np.float64([1]))
        with self.assertRaisesRegex(rondo.ModelError, "got an array of complex128"):
            self.infer("f32", np.zeros(1, complex))

    def test_strided_inputs_are_read_right(self):
        compiled = rondo.compile_model(support.unary(shape=(2, 3)))
        array = np.arange(12, dtype=np.float32).reshape(3, 4)
        for view in (array[:, :2].T, array[:2, ::-1][:, :3], np.broadcast_to(array[0, :3], (2, 3))):
            for share in (True, False):
                np.testing.assert_array_equal(compiled(view, share_inputs=share)[0], view)

    def test_a_scalar_takes_one_element_of_any_rank(self):
        compiled = rondo.compile_model(support.passing("i64", ()))
        request = compiled.create_infer_request()
        queue = rondo.AsyncInferQueue(compiled, 1)
        results = []
        queue.set_callback(lambda done, _: results.append(done.get_output_tensor().data.copy()))
        for one in (np.int64([7]), np.int64([[7]]), [7], np.int32([[[7]]])):
            tensor = rondo.Tensor(np.asarray(one, np.int64))
            for share in (True, False):
                results.append(compiled([one], share_inputs=share)[0])
            results.append(compiled({"x": tensor})[0])
            results.append(request.infer({0: one})["y"])
            request.set_tensor("x", tensor)
            self.assertEqual(request.get_tensor("x").shape, [])
            request.start_async()
            request.wait()
            results.append(request.results[0])
            queue.start_async([one])
            queue.wait_all()
            with compiled.create_stream_pool() as pool, pool.open() as stream:
                results.append(stream.infer([one])[0])
        for result in results:
            self.assertEqual((result.shape, result), ((), 7))
        for many in ([7, 7], [], [[7], [7]]):
            with self.assertRaisesRegex(rondo.ModelError, "input 'x': got an array of shape "):
                compiled([np.int64(many)])
        with self.assertRaisesRegex(rondo.ModelError, r"got i64\[2\]; expected i64\[\]"):
            request.set_tensor("x", rondo.Tensor(np.int64([7, 7])))

    def test_scalars_and_nothing(self):
        self.assertEqual(self.infer("f32", 2.5).shape, ())
        self.assertEqual(self.infer("i64", 7), 7)
        self.assertEqual(self.infer("f32", np.zeros((0, 3))).shape, (0, 3))


if __name__ == "__main__":
    support.main()
