"""rondo.Type, Shape, Dimension and PartialShape: what people write for them, and what they say."""

import copy
import unittest

import numpy as np
import rondo
import support
from rondo import Dimension, PartialShape, Shape, Type


class TypeTest(unittest.TestCase):
    def test_types_are_made_of_what_names_them(self):
        for value in ("f32", "FP32", "float32", np.float32, np.dtype("float32"), Type.f32):
            self.assertEqual(Type(value), Type.f32)
        self.assertEqual(Type(float), Type.f64)
        self.assertEqual(Type(bool), Type.boolean)
        self.assertEqual(Type("bf16"), Type.bf16)

    def test_types_tell_about_themselves(self):
        self.assertEqual(Type.f16.to_dtype(), np.float16)
        self.assertEqual((Type.i64.size, Type.i64.bitwidth), (8, 64))
        self.assertEqual((Type.i64.get_type_name(), Type.i64.type_name), ("i64", "i64"))
        self.assertEqual((str(Type.u8), repr(Type.u8)), ("u8", "<Type: 'u8'>"))
        self.assertTrue(Type.f32.is_real() and Type.i8.is_signed() and Type.dynamic.is_dynamic())
        self.assertFalse(Type.u8.is_signed() or Type.u8.is_real())
        self.assertFalse(Type.boolean.is_integral_number())
        self.assertTrue(Type.u8.is_integral() and Type.u8.is_static())

    def test_bits_that_count(self):
        bits = {"i4": 4, "u4": 4, "f4e2m1": 4, "i2": 2, "u2": 2, "i8": 8, "f8e4m3": 8, "boolean": 8,
                "bf16": 16, "f64": 64, "dynamic": 0}
        self.assertEqual({name: Type(name).bitwidth for name in bits}, bits)
        self.assertEqual((Type.i4.get_bitwidth(), Type.i4.size), (4, 1))

    def test_types_that_are_not_there(self):
        for name, reason in (("string", "tensors hold numbers"), ("u1", "type boolean"),
                             ("nf4", "are i4, u4 and f4e2m1")):
            self.assertFalse(hasattr(Type, name))
            with self.assertRaisesRegex(AttributeError, f"no attribute '{name}': .*{reason}"):
                getattr(Type, name)

    def test_types_compare(self):
        self.assertTrue(Type.f32 == "f32" and Type.f32 != Type.f64 and Type.f32 != 3)
        self.assertEqual(len({Type.f32, Type("f32"), Type.i64}), 2)

    def test_what_is_no_type(self):
        with self.assertRaisesRegex(rondo.ModelError, "float33"):
            Type("float33")
        with self.assertRaises(rondo.UnsupportedError):
            Type("string")
        with self.assertRaisesRegex(rondo.UnsupportedError, "complex128"):
            Type(complex)
        with self.assertRaises(TypeError):
            Type(3)


class ShapeTest(unittest.TestCase):
    def test_a_shape_is_a_sequence(self):
        shape = Shape([1, 2, 3])
        self.assertEqual((len(shape), shape[0], shape[-1], list(shape)), (3, 1, 3, [1, 2, 3]))
        self.assertEqual(shape[1:], [2, 3])
        self.assertTrue(shape == (1, 2, 3) and shape == [1, 2, 3] and shape != [1, 2])
        self.assertFalse(shape == [1, 2, -1] or shape == "nonsense" or shape == 3)
        self.assertEqual(np.zeros(shape).shape, (1, 2, 3))
        self.assertEqual(np.arange(6).reshape(shape).shape, (1, 2, 3))
        self.assertEqual((str(shape), repr(shape)), ("[1,2,3]", "<Shape: [1,2,3]>"))
        shape[1] = 9
        self.assertEqual(shape, [1, 9, 3])
        self.assertEqual(Shape("4, 5"), [4, 5])
        self.assertEqual(Shape(), [])
        with self.assertRaisesRegex(IndexError, "no axis 3"):
            shape[3]

    def test_what_is_no_shape(self):
        for value, message in (([-1], "not fully known"), ([1.5], "can't read 1.5 as an extent"),
                               (["a"], "can't read 'a'"), ([None], "can't read None")):
            with self.assertRaisesRegex(rondo.ModelError, message):
                Shape(value)
        with self.assertRaises(TypeError):
            Shape(5)
        with self.assertRaises(OverflowError):
            Shape([1 << 80])

    def test_arrays_as_shapes(self):
        self.assertEqual(Shape(np.array([2, 3])), [2, 3])
        for read in (Shape, PartialShape, lambda shape: rondo.Tensor(Type.f32, shape)):
            with self.assertRaisesRegex(TypeError, "only integer scalar arrays"):
                read(np.array([[1, 2]]))
            with self.assertRaisesRegex(TypeError, "0-d array"):
                read(np.array(3))
        model = rondo.Core().read_model(support.unary())
        with self.assertRaisesRegex(TypeError, "only integer scalar arrays"):
            model.reshape(np.array([[1, 8, 8]]))
        self.assertEqual(model.input().shape, [1, 8])

    def test_what_is_no_shape_is_not_equal(self):
        for shape in (Shape([2, 3]), PartialShape([2, 3])):
            self.assertTrue((shape == np.array([2, 3])) is True)
            for other in (np.ones((2, 3)), np.ones((2, 3), int), np.array(2), [1 << 80], "\udc80", {}):
                self.assertIs(shape == other, False)
        self.assertIs(Dimension(2) == np.ones(2, int), False)

    def test_texts_that_utf_8_cannot_hold(self):
        for read in (Shape, PartialShape, Dimension, Type):
            with self.assertRaisesRegex((rondo.ModelError, TypeError), r"udc80"):
                read("\udc80")
        self.assertFalse(Type.f32 == "\udc80")


class PartialShapeTest(unittest.TestCase):
    def test_extents_are_written_in_many_ways(self):
        shape = PartialShape([2, -1, (1, 10), "3..", Dimension(4), Dimension(), np.int64(6)])
        self.assertEqual(str(shape), "[2,?,1..10,3..,4,?,6]")
        self.assertEqual(PartialShape("2,?,1..10"), [2, -1, (1, 10)])
        self.assertEqual(PartialShape(Shape([1, 2])), Shape([1, 2]))
        self.assertEqual(PartialShape("1, 2"), PartialShape((1, 2)))

    def test_it_tells_what_it_knows(self):
        shape = PartialShape([2, (1, 10)])
        self.assertTrue(shape.is_dynamic and not shape.is_static)
        self.assertEqual((shape.rank.get_length(), len(shape), shape[0], shape[-1].max_length),
                         (2, 2, 2, 10))
        self.assertEqual((shape.get_min_shape(), shape.get_max_shape()), ([2, 1], [2, 10]))
        self.assertEqual([str(dimension) for dimension in shape], ["2", "1..10"])
        self.assertEqual(shape[1:], [(1, 10)])
        self.assertTrue(shape.compatible([2, 7]) and not shape.compatible([2, 11]))
        shape[1] = 3
        self.assertEqual(shape.to_shape(), [2, 3])
        self.assertEqual(repr(shape), "<PartialShape: [2,3]>")

    def test_copies(self):
        shape = PartialShape([1, -1, (2, 3)])
        for made in (copy.copy(shape), copy.deepcopy(shape)):
            self.assertEqual(made, shape)
            made[0] = 7
        self.assertEqual(shape[0], 1)

    def test_an_unknown_rank(self):
        shape = PartialShape.dynamic()
        self.assertTrue(shape.is_dynamic and shape.rank.is_dynamic)
        self.assertEqual(str(shape), "[...]")
        with self.assertRaisesRegex(rondo.ModelError, "rank of the shape is not known"):
            len(shape)
        self.assertEqual(PartialShape.dynamic(2), [-1, -1])

    def test_what_is_no_shape(self):
        with self.assertRaisesRegex(rondo.ModelError, "can't read 'x' as an extent"):
            PartialShape("1,x")
        with self.assertRaisesRegex(rondo.ModelError, "can't lie between 5 and 2"):
            PartialShape([(5, 2)])
        with self.assertRaisesRegex(rondo.ModelError, "is not fully known"):
            PartialShape([-1]).to_shape()
        with self.assertRaisesRegex(TypeError, "an extent is a number"):
            PartialShape([1])[0] = None


class DimensionTest(unittest.TestCase):
    def test_known_bounded_and_open(self):
        self.assertEqual(Dimension(5).get_length(), 5)
        self.assertTrue(Dimension(5) == 5 and Dimension(5).is_static)
        self.assertEqual(hash(Dimension(5)), hash(5))
        bounded = Dimension(2, 10)
        self.assertEqual((bounded.min_length, bounded.max_length, str(bounded)), (2, 10, "2..10"))
        self.assertEqual(Dimension("2..10"), bounded)
        self.assertEqual(Dimension(3, -1).max_length, -1)
        self.assertTrue(Dimension().is_dynamic and Dimension(-1) == Dimension.dynamic())
        self.assertEqual(repr(Dimension()), "<Dimension: ?>")

    def test_what_is_no_extent(self):
        with self.assertRaisesRegex(rondo.ModelError, "an extent can't be -3"):
            Dimension(-3)
        with self.assertRaisesRegex(rondo.ModelError, r"the extent \? is not known"):
            Dimension().get_length()
        with self.assertRaisesRegex(rondo.ModelError, "as one extent"):
            Dimension("1,2")


if __name__ == "__main__":
    support.main()
