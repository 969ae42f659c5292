"""rondo.quantize(): integers in place of the weights of recurrent layers."""

import pathlib
import tempfile
import unittest

import numpy as np
import rondo

DIGITS = pathlib.Path(__file__).parents[3] / "docs/samples/digits/digits_lstm.onnx"


class QuantizeTest(unittest.TestCase):
    def setUp(self):
        self.model = rondo.Core().read_model(DIGITS)
        self.x = np.random.default_rng(3).random((1, 8, 8), np.float32)

    def test_stores_integers(self):
        expected = rondo.compile_model(self.model, "CPU")(self.x)[0]
        for layout, loss in (("w8r16", 0.1), ("w8r8", 0.2), ("w16r16", 0.001)):
            model = self.model.clone()
            layers = rondo.quantize(model, layout, least_decibels=30)
            self.assertEqual([layer.type for layer in layers], ["LSTMSequence"] * len(layers))
            changed = [layer for layer in layers if not layer.kept]
            self.assertTrue(all(layer.new_bytes < layer.bytes for layer in changed))
            self.assertTrue(all(layer.decibels > 30 for layer in changed))
            got = rondo.compile_model(model, "CPU")(self.x)[0]
            np.testing.assert_allclose(got, expected, atol=loss)
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "model.xml"
                rondo.save_model(model, path)
                again = rondo.compile_model(path, "CPU")(self.x)[0]
            np.testing.assert_array_equal(again, got)

    def test_keeps_layers(self):
        names = [layer.name for layer in rondo.quantize(self.model.clone())]
        for layer in rondo.quantize(self.model, keep=names):
            self.assertEqual(layer.kept, "asked for")
            self.assertIn("f32: asked for", repr(layer))

    def test_refuses_unknown_names(self):
        with self.assertRaisesRegex(rondo.ModelError, "'int4'"):
            rondo.quantize(self.model, "int4")
        with self.assertRaisesRegex(rondo.ModelError, "'nothing'"):
            rondo.quantize(self.model, keep=["nothing"])


if __name__ == "__main__":
    unittest.main()
