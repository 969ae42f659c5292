"""Classifies digits in Spark, with two Python workers: spark_rows.py digits_lstm.onnx test_pixels.npy"""

import os
import sys

import numpy as np
import rondo
import rondo.spark
from pyspark.ml.functions import predict_batch_udf
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, FloatType


def main(path, pixels_path):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    pixels = np.load(pixels_path).astype(np.float32).reshape(-1, 8, 8)
    table = spark.createDataFrame([(i, row.ravel().tolist()) for i, row in enumerate(pixels)],
                                  "id int, pixels array<float>").repartition(4)

    spark.sparkContext.addFile(path)  # to each machine
    make = rondo.spark.make_predict_fn(os.path.basename(path))
    predict = predict_batch_udf(make, return_type=ArrayType(FloatType()), batch_size=64,
                                input_tensor_shapes=[[8, 8]])
    rows = table.select("id", predict("pixels").alias("logits")).collect()

    rows.sort(key=lambda row: row.id)
    expected = rondo.compile_model(path)(pixels)["logits"]
    same = np.array_equal(np.float32([row.logits for row in rows]), expected)
    print(f"{len(rows)} digits:", "the bits of this process" if same else "DIFFERENT")
    spark.stop()
    return 0 if same else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: spark_rows.py MODEL PIXELS")
    sys.exit(main(*sys.argv[1:]))
