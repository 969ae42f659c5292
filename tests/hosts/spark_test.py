#!/usr/bin/env python3
"""Spark on this machine, local[2]: predict_batch_udf() with equal and with ragged rows.

Usage: spark_test.py. Exits with 77 if this Python lacks Spark or onnx, or there is no Java.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

try:
    import numpy as np
    import onnx  # noqa: F401 (row_models writes with it)
    from pyspark.ml.functions import predict_batch_udf
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import size
    from pyspark.sql.types import ArrayType, FloatType, StructField, StructType
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
if shutil.which("java") is None:
    print("skipped: there is no java")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python/tests"))
import rondo  # noqa: E402
import rondo.spark  # noqa: E402
import row_models  # noqa: E402

DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"
FLOATS = ArrayType(FloatType())


class SparkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # of the workers
        os.environ["PYSPARK_PYTHON"] = sys.executable
        cls.spark = (SparkSession.builder.master("local[2]").appName("rondo")
                     .config("spark.ui.enabled", "false")
                     .config("spark.driver.bindAddress", "127.0.0.1")
                     .config("spark.driver.host", "127.0.0.1").getOrCreate())
        cls.spark.sparkContext.setLogLevel("ERROR")
        cls.addClassCleanup(cls.spark.stop)

    def test_rows_of_one_shape(self):
        pixels = np.load(ROOT / "docs/samples/digits/test_pixels.npy").astype(np.float32)
        pixels = np.concatenate([pixels.reshape(-1, 8, 8)] * 20)
        table = self.spark.createDataFrame(
            [(i, row.ravel().tolist()) for i, row in enumerate(pixels)],
            "id int, pixels array<float>").repartition(4)
        self.spark.sparkContext.addFile(str(DIGITS))
        expected = rondo.compile_model(DIGITS)(pixels)["logits"]
        for model in (str(DIGITS), DIGITS.name,
                      self.spark.sparkContext.broadcast(DIGITS.read_bytes())):
            predict = predict_batch_udf(rondo.spark.make_predict_fn(model), return_type=FLOATS,
                                        batch_size=64, input_tensor_shapes=[[8, 8]])
            start = time.perf_counter()
            rows = table.select("id", predict("pixels").alias("logits")).collect()
            print(f"{len(rows)} rows in {time.perf_counter() - start:.1f} s")
            rows.sort(key=lambda row: row.id)
            np.testing.assert_array_equal(np.float32([row.logits for row in rows]), expected)

    def test_ragged_rows(self):
        some = row_models.rows([3, 1, 7, 3, 2, 7, 7] * 10)
        table = self.spark.createDataFrame(
            [(i, row.ravel().tolist(), len(row)) for i, row in enumerate(some)],
            "id int, x array<float>, steps int").repartition(3)
        fields = StructType([StructField("y", FLOATS), StructField("h", FLOATS)])
        model = rondo.compile_model(row_models.lstm(False))
        for make in (rondo.spark.make_predict_fn(row_models.lstm(False), ragged=True),
                     rondo.spark.make_predict_fn(row_models.lstm(True), lengths="steps")):
            predict = predict_batch_udf(make, return_type=fields, batch_size=16,
                                        input_tensor_shapes=[None, None])
            rows = table.select("id", predict("x", "steps").alias("out")).collect()
            self.assertEqual(len(rows), len(some))
            for row in rows:
                expected = model(some[row.id][None])
                np.testing.assert_array_equal(np.float32(row.out.y), expected["y"].ravel())
                np.testing.assert_array_equal(np.float32(row.out.h), expected["h"].ravel())
        self.assertEqual(table.select(size("x")).count(), len(some))

    def test_workers_have_one_thread(self):
        def threads(_):
            return [int(rondo.compile_model(str(DIGITS)).get_property("INFERENCE_NUM_THREADS"))]

        rdd = self.spark.sparkContext.parallelize(range(2), 2)
        self.assertEqual(rdd.mapPartitions(threads).collect(), [1, 1])


class ExampleTest(unittest.TestCase):
    def test_rows(self):
        result = subprocess.run([sys.executable, ROOT / "docs/examples/spark_rows.py", DIGITS,
                                 DIGITS.with_name("test_pixels.npy")],
                                capture_output=True, text=True, timeout=200, check=False,
                                env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("digits: the bits of this process", result.stdout)


if __name__ == "__main__":
    unittest.main()
