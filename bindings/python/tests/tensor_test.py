"""rondo.Tensor: memory shared with NumPy both ways, conversions, DLPack."""

import copy
import ctypes
import gc
import importlib.util
import sys
import unittest

import numpy as np
import rondo
import support

DTYPES = {"boolean": "bool", "f64": "float64", "f32": "float32", "f16": "float16", "i64": "int64",
          "i32": "int32", "i16": "int16", "i8": "int8", "u64": "uint64", "u32": "uint32",
          "u16": "uint16", "u8": "uint8"}


def address(array):
    return array.__array_interface__["data"][0]


class TensorTest(unittest.TestCase):
    def test_it_owns_zeros(self):
        tensor = rondo.Tensor(rondo.Type.f32, rondo.Shape([2, 3]))
        self.assertEqual(tensor.shape, [2, 3])
        self.assertEqual(tensor.element_type, rondo.Type.f32)
        self.assertEqual((tensor.size, tensor.byte_size, tensor.strides), (6, 24, [12, 4]))
        self.assertTrue(tensor.is_continuous())
        self.assertTrue((tensor.data == 0).all())
        self.assertEqual(repr(tensor), "<Tensor: f32[2,3]>")

    def test_data_is_a_view(self):
        tensor = rondo.Tensor("i32", [2, 2])
        tensor.data[1, 0] = 7
        self.assertEqual(tensor.data.tolist(), [[0, 0], [7, 0]])
        view = tensor.data
        del tensor
        gc.collect()
        self.assertEqual(view.tolist(), [[0, 0], [7, 0]])
        self.assertFalse(view.flags.owndata)

    def test_every_dtype_goes_in_and_comes_out(self):
        for name, dtype in DTYPES.items():
            with self.subTest(dtype):
                array = np.array([[0, 1, 1], [1, 0, 1]], dtype)
                tensor = rondo.Tensor(array)
                self.assertEqual(str(tensor.element_type), name)
                self.assertEqual(tensor.data.dtype, array.dtype)
                np.testing.assert_array_equal(tensor.data, array)

    def test_an_array_is_copied_by_default(self):
        array = np.ones(3, np.float32)
        tensor = rondo.Tensor(array)
        array[0] = 9
        self.assertEqual(tensor.data.tolist(), [1, 1, 1])

    def test_shared_memory_is_the_array_s(self):
        array = np.zeros((2, 2), np.float32)
        tensor = rondo.Tensor(array, shared_memory=True)
        self.assertEqual(address(tensor.data), address(array))
        tensor.data[0, 1] = 5
        self.assertEqual(array[0, 1], 5)

    def test_a_shared_array_stays_alive(self):
        tensor = rondo.Tensor(np.full(1000, 3.0), shared_memory=True)
        gc.collect()
        self.assertTrue((tensor.data == 3).all())

    def test_a_tensor_lets_go_of_its_array(self):
        array = np.zeros(4)
        before = sys.getrefcount(array)
        tensor = rondo.Tensor(array, shared_memory=True)
        view = tensor.data
        self.assertGreater(sys.getrefcount(array), before)
        del tensor, view
        self.assertEqual(sys.getrefcount(array), before)

    def test_another_shape(self):
        array = np.arange(6, dtype=np.float32)
        tensor = rondo.Tensor(array, shared_memory=True)
        tensor.shape = [2, 3]  # as many elements: they stay where they are
        tensor.data[1, 2] = 9
        self.assertEqual(array[5], 9)
        view = tensor.data
        tensor.set_shape((4, 4))
        self.assertEqual(tensor.data.tolist(), np.zeros((4, 4)).tolist())
        del tensor, array
        gc.collect()
        self.assertEqual(view.tolist(), [[0, 1, 2], [3, 4, 9]])

    def test_another_shape_of_a_read_only_tensor(self):
        array = np.zeros(4)
        array.flags.writeable = False
        tensor = rondo.Tensor(array, shared_memory=True)
        tensor.shape = [2, 2]
        self.assertFalse(tensor.data.flags.writeable)
        tensor.shape = [2]
        tensor.data[0] = 1

    def test_strides_are_honoured(self):
        array = np.arange(6, dtype=np.int32).reshape(2, 3)
        for view in (array.T, array[:, ::-1], array[:, 1:], np.broadcast_to(array[0], (4, 3))):
            shared = rondo.Tensor(view, shared_memory=True)
            np.testing.assert_array_equal(shared.data, view)
            self.assertEqual(shared.strides, list(view.strides))
            np.testing.assert_array_equal(rondo.Tensor(view).data, view)

    def test_read_only_memory_stays_so(self):
        array = np.zeros(3)
        array.flags.writeable = False
        tensor = rondo.Tensor(array, shared_memory=True)
        with self.assertRaises(ValueError):
            tensor.data[0] = 1
        with self.assertRaisesRegex(rondo.ModelError, "the tensor is read-only"):
            tensor.copy_from(np.ones(3))
        with self.assertRaisesRegex(rondo.ModelError, "the target is read-only"):
            rondo.Tensor("f64", [3]).copy_to(tensor)

    def test_scalars_lists_and_nothing(self):
        self.assertEqual(rondo.Tensor(3.5).data, 3.5)
        self.assertEqual(rondo.Tensor(np.float32(2)).shape, [])
        self.assertEqual(rondo.Tensor([[1, 2]]).element_type, rondo.Type.i64)
        self.assertEqual(rondo.Tensor(np.zeros((0, 5))).data.shape, (0, 5))

    def test_swapped_bytes_are_put_right_or_refused(self):
        swapped = np.array([1, 2, 3], ">i4")
        self.assertEqual(rondo.Tensor(swapped).data.tolist(), [1, 2, 3])
        with self.assertRaisesRegex(rondo.ModelError, "swapped or unaligned can't be shared"):
            rondo.Tensor(swapped, shared_memory=True)

    def test_unaligned_elements_are_copied_or_refused(self):
        memory = np.zeros(13, np.uint8)
        unaligned = memory[1:].view(np.float32)
        unaligned[:] = [1, 2, 3]
        self.assertEqual(rondo.Tensor(unaligned).data.tolist(), [1, 2, 3])
        with self.assertRaisesRegex(rondo.ModelError, "unaligned"):
            rondo.Tensor(unaligned, shared_memory=True)

    def test_what_is_no_tensor(self):
        for value, dtype in (("text", "str"), (np.zeros(2, complex), "complex128"),
                             (np.zeros(2, "M8[s]"), "datetime64"), ([{}], "object")):
            with self.assertRaisesRegex(rondo.UnsupportedError,
                                        f"an array of dtype '{dtype}.*' can't become a tensor"):
                rondo.Tensor(value)
        with self.assertRaises(rondo.Error):
            rondo.Tensor([[1], [1, 2]])
        with self.assertRaisesRegex(rondo.ModelError, "known element type"):
            rondo.Tensor("dynamic", [1])
        with self.assertRaisesRegex(rondo.ModelError, "an extent can't be -2"):
            rondo.Tensor("f32", [-2])
        with self.assertRaisesRegex(rondo.ModelError, "is not fully known"):
            rondo.Tensor("f32", [-1])
        with self.assertRaisesRegex(rondo.ModelError, "too many elements"):
            rondo.Tensor("f32", [1 << 40, 1 << 40])

    def test_copy_from_and_to(self):
        a = rondo.Tensor("f32", [2])
        a.copy_from([1, 2])
        b = rondo.Tensor("f32", [2])
        a.copy_to(b)
        self.assertEqual(b.data.tolist(), [1, 2])
        b.copy_from(rondo.Tensor(np.float32([3, 4])))
        self.assertEqual(b.data.tolist(), [3, 4])
        b.data = [5, 6]
        self.assertEqual(b.data.tolist(), [5, 6])
        with self.assertRaisesRegex(rondo.ModelError, r"got an array of shape \[3\]; expected \[2"):
            b.copy_from([1, 2, 3])
        with self.assertRaisesRegex(rondo.ModelError, "can't copy a tensor"):
            a.copy_to(rondo.Tensor("f64", [2]))

    def test_copying_into_strided_memory(self):
        array = np.zeros((2, 4), np.float32)
        rondo.Tensor(array[:, ::2], shared_memory=True).copy_from([[1, 2], [3, 4]])
        self.assertEqual(array.tolist(), [[1, 0, 2, 0], [3, 0, 4, 0]])

    def test_numpy_s_protocol(self):
        tensor = rondo.Tensor("f32", [2])
        np.asarray(tensor)[0] = 4
        self.assertEqual(tensor.data[0], 4)
        self.assertEqual(np.array(tensor, np.float64).dtype, np.float64)
        copy = tensor.__array__(copy=True)
        copy[0] = 8
        self.assertEqual(tensor.data[0], 4)
        with self.assertRaisesRegex(ValueError, "without a copy"):
            tensor.__array__("f8", copy=False)

    def test_memory_under_another_type(self):
        bits = np.array([0x3f80, 0x4000], np.uint16)
        self.assertEqual(rondo.Tensor(bits, [2, 1]).shape, [2, 1])
        tensor = rondo.Tensor(bits, [2, 1], rondo.Type.bf16)
        self.assertEqual((str(tensor.element_type), tensor.shape), ("bf16", [2, 1]))
        with self.assertRaisesRegex(rondo.ModelError, "same size and number"):
            rondo.Tensor(bits, [2], rondo.Type.f32)
        with self.assertRaisesRegex(rondo.ModelError, "same size and number"):
            rondo.Tensor(bits, [3], rondo.Type.bf16)
        swapped = np.array([1, 2], ">f4")
        for type_ in ((), (rondo.Type.f32,), (rondo.Type.i32,)):
            with self.assertRaisesRegex(rondo.ModelError, "swapped or unaligned can't be shared"):
                rondo.Tensor(swapped, [2], *type_)
        with self.assertRaisesRegex(rondo.UnsupportedError, "dtype 'object' can't become a tensor"):
            rondo.Tensor(np.array([None, None]), [2], rondo.Type.i64)

    def test_copies(self):
        tensor = rondo.Tensor(np.float32([[1, 2], [3, 4]])[:, ::-1], shared_memory=True)
        shallow, deep = copy.copy(tensor), copy.deepcopy(tensor)
        tensor.data[0, 0] = 9
        self.assertEqual(shallow.data.tolist(), [[9, 1], [4, 3]])
        self.assertEqual(deep.data.tolist(), [[2, 1], [4, 3]])
        self.assertEqual((deep.element_type, deep.shape), (rondo.Type.f32, [2, 2]))
        array = np.zeros(2)
        array.flags.writeable = False
        fixed = rondo.Tensor(array, shared_memory=True)
        self.assertFalse(copy.copy(fixed).data.flags.writeable)
        copy.deepcopy(fixed).data[0] = 1
        self.assertEqual(array[0], 0)
        twin, same = copy.deepcopy([tensor, tensor])
        self.assertIs(twin, same)

    @unittest.skipUnless(importlib.util.find_spec("ml_dtypes"), "needs ml_dtypes")
    def test_bf16_through_ml_dtypes(self):
        import ml_dtypes

        array = np.array([1.5, -2], ml_dtypes.bfloat16)
        tensor = rondo.Tensor(array)
        self.assertEqual(tensor.element_type, rondo.Type.bf16)
        self.assertEqual(tensor.data.astype(np.float32).tolist(), [1.5, -2])
        np.testing.assert_array_equal(rondo.Tensor(array, shared_memory=True).data, array)

    @unittest.skipIf(importlib.util.find_spec("ml_dtypes"), "ml_dtypes is there")
    def test_bf16_is_refused_without_ml_dtypes(self):
        with self.assertRaisesRegex(rondo.UnsupportedError, "install the package ml_dtypes"):
            rondo.Tensor("bf16", [2]).data

    def test_a_port_s_tensor(self):
        model = rondo.Core().read_model(support.unary(shape=(1, 8)))
        tensor = rondo.Tensor(model.input(0))
        self.assertEqual((tensor.shape, tensor.element_type), ([1, 8], "f32"))
        model.reshape([-1, 8])
        with self.assertRaisesRegex(rondo.ModelError, r"input 'x' \[\?,8\] has open extents"):
            rondo.Tensor(model.input(0))


class FirstDLPack:
    """An array as libraries from before DLPack 1.0 export it."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class DLPackTest(unittest.TestCase):
    def test_export_shares_memory(self):
        for name in ("f64", "f32", "f16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"):
            tensor = rondo.Tensor(name, [2, 3])
            array = np.from_dlpack(tensor)
            self.assertEqual(address(array), address(tensor.data))
            self.assertEqual(array.dtype, tensor.data.dtype)
        self.assertEqual(tensor.__dlpack_device__(), (1, 0))

    def test_export_outlives_the_tensor(self):
        tensor = rondo.Tensor(np.arange(1000))
        array = np.from_dlpack(tensor)
        del tensor
        gc.collect()
        np.testing.assert_array_equal(array, np.arange(1000))

    def test_import_shares_memory(self):
        array = np.arange(6, dtype=np.int32).reshape(2, 3)
        tensor = rondo.Tensor.from_dlpack(array)
        self.assertEqual(address(tensor.data), address(array))
        np.testing.assert_array_equal(rondo.Tensor.from_dlpack(array.T).data, array.T)
        old = rondo.Tensor.from_dlpack(FirstDLPack(array))
        self.assertEqual(address(old.data), address(array))
        before = sys.getrefcount(array)
        del tensor, old
        gc.collect()
        self.assertLess(sys.getrefcount(array), before)

    def test_round_trips_keep_everything(self):
        source = rondo.Tensor(np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2],
                              shared_memory=True)
        for version in (None, (1, 0)):
            capsule = source.__dlpack__(max_version=version)
            taken = rondo.Tensor.from_dlpack(capsule)
            np.testing.assert_array_equal(taken.data, source.data)
            self.assertEqual(taken.strides, source.strides)
        boolean = rondo.Tensor(np.array([True, False]))
        back = rondo.Tensor.from_dlpack(boolean)
        self.assertEqual((str(back.element_type), back.data.tolist()), ("boolean", [True, False]))
        bf16 = rondo.Tensor("bf16", [4])
        self.assertEqual(str(rondo.Tensor.from_dlpack(bf16).element_type), "bf16")

    def test_read_only_memory(self):
        array = np.zeros(2)
        array.flags.writeable = False
        tensor = rondo.Tensor(array, shared_memory=True)
        with self.assertRaisesRegex(BufferError, "read-only"):
            tensor.__dlpack__()
        taken = rondo.Tensor.from_dlpack(tensor)
        self.assertFalse(taken.data.flags.writeable)

    def test_a_copy_is_made_on_request(self):
        tensor = rondo.Tensor("f32", [2])
        taken = rondo.Tensor.from_dlpack(tensor.__dlpack__(copy=True))
        taken.data[0] = 1
        self.assertEqual(tensor.data[0], 0)

    def test_what_is_refused(self):
        tensor = rondo.Tensor("f32", [2])
        capsule = tensor.__dlpack__()
        rondo.Tensor.from_dlpack(capsule)
        with self.assertRaisesRegex(rondo.ModelError, "it was already taken"):
            rondo.Tensor.from_dlpack(capsule)
        with self.assertRaisesRegex(TypeError, "with __dlpack__"):
            rondo.Tensor.from_dlpack([1, 2])
        with self.assertRaisesRegex(rondo.ModelError, "has no stream"):
            tensor.__dlpack__(stream=1)
        with self.assertRaisesRegex(BufferError, "another device"):
            tensor.__dlpack__(dl_device=(2, 0))
        with self.assertRaisesRegex(rondo.UnsupportedError, "no element type has DLPack's code 5"):
            rondo.Tensor.from_dlpack(np.zeros(2, complex))

    def test_other_devices_and_versions_are_refused(self):
        unsigned64 = ctypes.c_uint64
        get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
        get_pointer.restype = ctypes.c_void_p
        get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        capsule = rondo.Tensor("f32", [2]).__dlpack__()
        at = get_pointer(capsule, b"dltensor")
        ctypes.c_int32.from_address(at + ctypes.sizeof(unsigned64)).value = 2  # CUDA's type
        with self.assertRaisesRegex(rondo.UnsupportedError, "device of DLPack's type 2"):
            rondo.Tensor.from_dlpack(capsule)
        capsule = rondo.Tensor("f32", [2]).__dlpack__(max_version=(1, 0))
        at = get_pointer(capsule, b"dltensor_versioned")
        ctypes.c_uint32.from_address(at).value = 2
        with self.assertRaisesRegex(rondo.UnsupportedError, "DLPack version 2"):
            rondo.Tensor.from_dlpack(capsule)


if __name__ == "__main__":
    support.main()
