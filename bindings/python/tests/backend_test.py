"""rondo.backend: the ONNX project's own tests of LSTM, GRU and RNN, and the interface itself."""

import importlib.util
import pathlib
import subprocess
import sys
import unittest

import numpy as np
import rondo
import support

if not importlib.util.find_spec("onnx"):
    print("skipped: this Python has no onnx")
    sys.exit(support.SKIPPED)

import onnx  # noqa: E402
import rondo.backend as backend  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCOREBOARD = ROOT / "tools/onnx_backend_scoreboard.py"
DIGITS = ROOT / "docs/samples/digits/digits_lstm.onnx"


def unsupported_model():
    value = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2])
    out = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [2])
    node = onnx.helper.make_node("ImageDecoder", ["x"], ["y"])
    graph = onnx.helper.make_graph([node], "graph", [value], [out])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)])


class DocumentationTest(unittest.TestCase):
    def test_functions_are_described(self):
        for name in ("is_compatible", "prepare", "run_model", "run_node", "supports_device"):
            self.assertTrue(getattr(backend, name).__doc__, name)


class BackendTest(unittest.TestCase):
    def test_prepare_and_run(self):
        x = np.zeros((2, 8, 8), np.float32)
        model = onnx.load(str(DIGITS))
        prepared = backend.prepare(model)
        for inputs in ([x], {"pixels": x}, x):
            outputs = prepared.run(inputs)
            self.assertEqual(outputs[0].shape, (2, 10))
            np.testing.assert_array_equal(outputs.logits, outputs["logits"])
        np.testing.assert_array_equal(backend.run_model(model, [x])[0], outputs[0])
        prepared = backend.prepare(model, config={"INFERENCE_NUM_THREADS": 1})
        np.testing.assert_array_equal(prepared.run([x])[0], outputs[0])

    def test_a_single_node(self):
        node = onnx.helper.make_node("Add", ["a", "b"], ["c"])
        ones = np.ones(3, np.float32)
        self.assertEqual(backend.run_node(node, [ones, ones])[0].tolist(), [2, 2, 2])
        self.assertEqual(backend.run_node(node, {"a": ones, "b": ones}, opset_version=13).c[0], 2)
        with self.assertRaisesRegex(rondo.ModelError, "got 1 input; expected 2"):
            backend.run_node(node, [ones])

    def test_inputs_that_are_left_out(self):
        rng = np.random.default_rng(1)
        x, w, r, h = (rng.standard_normal(shape).astype(np.float32)
                      for shape in ((5, 1, 3), (1, 4, 3), (1, 4, 4), (1, 1, 4)))
        node = onnx.helper.make_node("RNN", ["X", "W", "R", "", "", "H"], ["", "Y_h"],
                                     hidden_size=4)
        outputs = backend.run_node(node, [x, w, r, h])
        self.assertEqual((len(outputs), outputs[0].shape), (1, (1, 1, 4)))

    def test_devices_and_what_is_unsupported(self):
        self.assertTrue(backend.supports_device("CPU") and backend.supports_device("CPU:0"))
        self.assertFalse(backend.supports_device("CUDA"))
        with self.assertRaisesRegex(rondo.ModelError, "unknown device 'CUDA'"):
            backend.prepare(onnx.load(str(DIGITS)), "CUDA")
        self.assertTrue(backend.is_compatible(onnx.load(str(DIGITS))))
        self.assertFalse(backend.is_compatible(onnx.load(str(DIGITS)), "CUDA"))
        self.assertFalse(backend.is_compatible(unsupported_model()))
        with self.assertRaisesRegex(rondo.UnsupportedError, "ImageDecoder"):
            backend.prepare(unsupported_model())

    def test_it_is_a_backend_of_onnx(self):
        self.assertTrue(issubclass(backend.RondoBackend, onnx.backend.base.Backend))


class ScoreboardTest(unittest.TestCase):
    def run_scoreboard(self, *arguments):
        return subprocess.run([sys.executable, str(SCOREBOARD), *arguments], capture_output=True,
                              text=True, timeout=200, check=False)

    def test_recurrent_operators_pass(self):
        result = self.run_scoreboard("-v")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"passed +test_lstm_with_peepholes_cpu")
        self.assertRegex(result.stdout, r"\n1\d passed, 0 unsupported, 0 failed\n")

    def test_it_tells_unsupported_from_passed(self):
        result = self.run_scoreboard("--json", "--filter", "^test_(adagrad|add)_cpu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('"passed"', result.stdout)
        self.assertIn('"unsupported"', result.stdout)
        self.assertIn("Adagrad", result.stdout)

    def test_outcomes_are_told_apart(self):
        sys.path.insert(0, str(SCOREBOARD.parent))
        import onnx_backend_scoreboard as scoreboard

        class Case(unittest.TestCase):
            def test_wrong(self):
                self.assertEqual(1, 2)

            def test_crash(self):
                raise rondo.ModelError("broken\nmodel")

            def test_refused(self):
                raise rondo.UnsupportedError("not here")

            def test_right(self):
                pass

        board = scoreboard.Scoreboard()
        unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(board)
        kinds = {name: outcome for name, (outcome, _) in board.outcomes.items()}
        self.assertEqual(kinds, {"test_wrong": "failed", "test_crash": "failed",
                                 "test_refused": "unsupported", "test_right": "passed"})
        self.assertEqual(board.outcomes["test_crash"][1], "ModelError: broken model")

    def test_broken_data_is_no_failure_of_its_own_version(self):
        sys.path.insert(0, str(SCOREBOARD.parent))
        import onnx_backend_scoreboard as scoreboard

        class Case(unittest.TestCase):
            def test_castlike_FLOAT_to_BFLOAT16_expanded_cpu(self):
                raise rondo.ModelError("got u16[1]; expected bf16[3,4]")

        for version, outcome in (("1.12.0", "broken"), ("1.23.0", "failed")):
            board = scoreboard.Scoreboard(version)
            unittest.defaultTestLoader.loadTestsFromTestCase(Case).run(board)
            self.assertEqual([found for found, _ in board.outcomes.values()], [outcome])

    def test_no_operator_fails_silently(self):
        result = self.run_scoreboard("--all")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_name_that_no_test_has(self):
        result = self.run_scoreboard("--filter", "nonsense")
        self.assertEqual((result.returncode, result.stderr), (1, "no test has such a name\n"))


if __name__ == "__main__":
    support.main()
