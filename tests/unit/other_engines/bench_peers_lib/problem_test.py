"""Layers made concrete, and the cases of model folders."""

import json
import pathlib
import tempfile
import unittest

import support
support.need_numpy()
import numpy as np  # noqa: E402  (looked for first)
from bench_peers_lib import problem  # noqa: E402
from bench_peers_lib.cases import Layer, RealModel  # noqa: E402


class ProblemTest(unittest.TestCase):
    def test_shapes_of_a_stack(self):
        layer = Layer("gru", 8, batch=2, time=3, directions=2, layers=2)
        made = problem.make_layer_problem(layer)
        shapes = [[array.shape for array in arrays] for arrays in made.weights]
        self.assertEqual(shapes, [[(2, 24, 8), (2, 24, 8), (2, 48)],
                                  [(2, 24, 16), (2, 24, 8), (2, 48)]])
        self.assertEqual(made.inputs["X"].shape, (3, 2, 8))
        writer = problem.LayerWriter(layer, made.weights)
        self.assertEqual([info[::2] for info in writer.output_infos()],
                         [("Y1", (3, 2, 2, 8)), ("Y_h1", (2, 2, 8))])

    def test_lengths_are_an_input(self):
        made = problem.make_problem(Layer("lstm", 4, batch=3, time=5, lengths="uniform"), "")
        self.assertEqual(made.inputs["lengths"].tolist(), [1, 3, 5])
        self.assertIn(b"lengths", made.model)

    def test_the_same_every_time(self):
        layer = Layer("lstm", 4)
        self.assertEqual(problem.make_layer_problem(layer).model,
                         problem.make_layer_problem(layer).model)

    def test_model_folders(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder) / "vad"
            (place / "ref").mkdir(parents=True)
            (place / "model.onnx").write_bytes(b"bytes")
            np.save(place / "ref" / "x.npy", np.ones((1, 4), np.float32))
            entries = [{"inputs": {"x": {"file": "x.npy", "shape": shape}}}
                       for shape in ([1, 4], [1, 4], [2, 4])]
            (place / "ref" / "manifest.json").write_text(json.dumps({"cases": entries}))
            found = problem.find_models(folder)
            self.assertEqual(found, [RealModel("vad", 0), RealModel("vad", 2)])
            made = problem.make_problem(found[0], folder)
            self.assertEqual((made.model, made.inputs["x"].shape), (b"bytes", (1, 4)))
        self.assertEqual(problem.find_models("no such folder"), [])


if __name__ == "__main__":
    support.main()
