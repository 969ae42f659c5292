#!/usr/bin/env python3
"""Checks tools/same_bits.py with commands that write what the test says."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools/same_bits.py"
# A rondo command: its input X plus a number, as the output Y.
COMMAND = """
import os, sys, numpy
out = sys.argv[sys.argv.index("-o") + 1]
os.makedirs(out)
x = numpy.load(sys.argv[sys.argv.index("-i") + 1].partition("=")[2])
numpy.save(os.path.join(out, "Y.npy"), {})
"""


class SameBitsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        model = self.folder / "models/one"
        (model / "run_0").mkdir(parents=True)
        (model / "model.onnx").write_bytes(b"")
        (model / "model.json").write_text(json.dumps({"inputs": ["X"], "runs": 1}))
        numpy.save(model / "run_0/X.npy", numpy.array([1.0, -0.0], numpy.float32))

    def command(self, name, result):
        path = self.folder / f"{name}.py"
        path.write_text(COMMAND.format(result))
        return f"{sys.executable} {path}"

    def compare(self, a, b, folder="models"):
        arguments = [sys.executable, str(TOOL), self.command("a", a), self.command("b", b),
                     str(self.folder / folder)]
        result = subprocess.run(arguments, capture_output=True, text=True, check=False)
        return result.returncode, result.stdout

    def test_equal_outputs(self):
        self.assertEqual(self.compare("x", "x"), (0, "1 runs, 0 differ\n"))

    def test_a_zero_of_another_sign_differs(self):
        self.assertEqual(self.compare("x", "abs(x)"), (1, "one run_0: Y.npy\n1 runs, 1 differ\n"))

    def test_types_and_shapes_differ(self):
        self.assertEqual(self.compare("x", "x.astype('f8')")[0], 1)
        self.assertEqual(self.compare("x", "x[None]")[0], 1)

    def test_a_nan_is_like_another(self):
        nan = "numpy.array([{}], 'u4').view('f4')"
        self.assertEqual(self.compare(nan.format(0x7fc00000), nan.format(0xffc00001))[0], 0)
        self.assertEqual(self.compare(nan.format(0x7fc00000), nan.format(0))[0], 1)

    def test_a_refusal_by_one_alone_differs(self):
        self.assertIn("NameError", self.compare("x", "unknown")[1])

    def test_nothing_to_compare_is_a_failure(self):
        (self.folder / "empty").mkdir()
        self.assertEqual(self.compare("x", "x", "empty"), (1, "0 runs, 0 differ\n"))


if __name__ == "__main__":
    unittest.main()
