"""rondo.spark without Spark: what predict_batch_udf() does with the function, by hand.

tests/hosts has the same with Spark itself.
"""

import importlib.util
import inspect
import pathlib
import pickle
import sys
import types
import unittest

import numpy as np
import rondo
import rondo.spark
import support

if not importlib.util.find_spec("onnx"):
    print("skipped: this Python has no onnx")
    sys.exit(support.SKIPPED)

import row_models  # noqa: E402

DIGITS = pathlib.Path(__file__).parents[3] / "docs/samples/digits/digits_lstm.onnx"
LENGTHS = [3, 1, 7, 3, 2, 7, 7]


def count_of(predict):
    return len(inspect.signature(predict).parameters)


def flat(rows):
    """A column as Spark gives it: an object array of flat rows."""
    column = np.empty(len(rows), object)
    column[:] = [row.ravel() for row in rows]
    return column


class SparkTest(unittest.TestCase):
    def setUp(self):
        self.rows = row_models.rows(LENGTHS)
        self.expected = [rondo.compile_model(row_models.lstm(False))(row[None])
                         for row in self.rows]

    def check(self, results):
        self.assertEqual(len(results), len(LENGTHS))
        for result, expected in zip(results, self.expected):
            np.testing.assert_array_equal(result["y"], expected["y"].ravel())
            np.testing.assert_array_equal(result["h"], expected["h"].ravel())

    def test_one_column(self):
        predict = rondo.spark.make_predict_fn(str(DIGITS))()
        self.assertEqual(count_of(predict), 1)
        pixels = np.random.default_rng(1).random((5, 8, 8), np.float32)
        result = predict(pixels)
        self.assertEqual((result.shape, result.dtype), ((5, 10), np.float32))
        np.testing.assert_array_equal(result, rondo.compile_model(DIGITS)(pixels)[0])

    def test_several_outputs_are_columns(self):
        predict = rondo.spark.make_predict_fn(row_models.lstm(False))()
        result = predict(np.stack(row_models.rows([3, 3])))
        self.assertEqual({name: rows.shape for name, rows in result.items()},
                         {"y": (2, 12), "h": (2, 4)})

    def test_ragged_rows(self):
        for make in (rondo.spark.make_predict_fn(row_models.lstm(False), ragged=True),
                     rondo.spark.make_predict_fn(row_models.lstm(True), lengths="steps")):
            predict = make()
            self.assertEqual(count_of(predict), 2)
            self.check(predict(flat(self.rows), np.array(LENGTHS)))

    def test_rows_that_were_filled_up(self):
        padded = np.full((len(self.rows), 9, row_models.SIZE), 77, np.float32)
        for row, whole in zip(self.rows, padded):
            whole[:len(row)] = row
        predict = rondo.spark.make_predict_fn(row_models.lstm(False), ragged=True)()
        self.check(predict(flat(padded), np.array(LENGTHS)))
        self.check(predict(padded, np.array(LENGTHS)))

    def test_a_row_that_is_too_short(self):
        predict = rondo.spark.make_predict_fn(row_models.lstm(False), ragged=True)()
        with self.assertRaisesRegex(rondo.ModelError, "a row of 12 elements; expected 16 for 4 st"):
            predict(flat(self.rows[:1]), np.array([4]))

    def test_columns_of_other_lengths(self):
        predict = rondo.spark.make_predict_fn(support.two_in_two_out())()
        self.assertEqual(count_of(predict), 2)
        with self.assertRaisesRegex(rondo.ModelError, "columns differ in their number of rows"):
            predict(np.zeros((2, 4)), np.zeros((3, 4)))

    def test_models_that_were_sent(self):
        class Broadcast:
            value = row_models.lstm(False)

        rondo.spark.make_predict_fn(Broadcast())()
        pyspark = types.ModuleType("pyspark")
        pyspark.SparkFiles = types.SimpleNamespace(get=lambda name: str(DIGITS.with_name(name)))
        sys.modules["pyspark"] = pyspark
        self.addCleanup(sys.modules.pop, "pyspark")
        self.assertEqual(count_of(rondo.spark.make_predict_fn(DIGITS.name)()), 1)

    def test_a_model_that_mixes_rows_is_refused(self):
        mixing = support.net(
            [support.parameter(0, "x", (-1, 2), "f32"),
             support.layer(1, "Softmax", [(-1, 2)], ((-1, 2), "y"), '<data axis="0"/>'),
             support.layer(2, "Result", [(-1, 2)], None)], [(0, 0, 1, 0), (1, 1, 2, 0)])
        with self.assertRaisesRegex(rondo.UnsupportedError, "Softmax"):
            rondo.spark.make_predict_fn(mixing)()

    def test_the_maker_can_be_sent(self):
        self.assertTrue(callable(rondo.spark.make_predict_fn))
        maker = rondo.spark.make_predict_fn(str(DIGITS))
        if importlib.util.find_spec("cloudpickle"):
            import cloudpickle

            maker = pickle.loads(cloudpickle.dumps(maker))
        self.assertEqual(count_of(maker()), 1)


if __name__ == "__main__":
    support.main()
