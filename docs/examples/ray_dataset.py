"""Classifies digits with two actors of one core each: ray_dataset.py digits_lstm.onnx test_pixels.npy"""

import sys

import numpy as np
import ray
import ray.data
import rondo
import rondo.ray


def main(path, pixels_path):
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    pixels = np.load(pixels_path).astype(np.float32).reshape(-1, 8, 8)
    with open(path, "rb") as file:
        model = file.read()  # travels with the actors

    dataset = ray.data.from_items([{"id": i, "pixels": row} for i, row in enumerate(pixels)])
    results = dataset.map_batches(rondo.ray.Predictor, fn_constructor_args=(model,),
                                  concurrency=2, num_cpus=1, batch_size=64)
    rows = sorted(results.take_all(), key=lambda row: row["id"])

    expected = rondo.compile_model(path)(pixels)["logits"]
    same = np.array_equal(np.stack([row["logits"] for row in rows]), expected)
    print(f"{len(rows)} digits:", "the bits of this process" if same else "DIFFERENT")
    return 0 if same else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: ray_dataset.py MODEL PIXELS")
    sys.exit(main(*sys.argv[1:]))
