"""openvino_idioms.py helps without OpenVINO, which it says that it needs."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "tests/other_engines/openvino_idioms.py"


class OpenvinoIdiomsTest(unittest.TestCase):
    def run_script(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "openvino.py").write_text("raise ImportError")
            return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True,
                                  text=True, check=False, env={"PYTHONPATH": folder})

    def test_help_runs_nothing(self):
        helped = self.run_script("--help")
        self.assertEqual(helped.returncode, 0, helped.stderr)
        self.assertIn("Runs the C++ idioms", helped.stdout)

    def test_a_missing_package_is_named(self):
        refused = self.run_script()
        self.assertEqual(refused.returncode, 2)
        self.assertIn("the Python package openvino isn't here", refused.stderr)


if __name__ == "__main__":
    unittest.main()
