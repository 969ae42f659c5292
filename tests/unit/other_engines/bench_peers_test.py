"""The command: its arguments, its messages, and a tiny run of Rondo alone."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

if importlib.util.find_spec("numpy") is None:
    print("needs NumPy")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "bench_peers_lib"))
import support  # noqa: E402  (the path comes first)
import bench_peers  # noqa: E402

TINY = ["--groups", "grid,stacked", "--cells", "lstm,gru", "--hidden", "8", "--batch", "1",
        "--time", "3", "--threads", "1", "--quick", "--rounds", "1", "--peers", "torch"]


def call(*arguments):
    """(exit code, output, errors) of the command, in this process."""
    out, errors = io.StringIO(), io.StringIO()
    with mock.patch.object(sys, "argv", ["bench_peers.py", *arguments]), \
            contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            code = bench_peers.main()
        except SystemExit as end:  # --help
            code = end.code
    return code, out.getvalue(), errors.getvalue()


def run(*arguments):
    """The same in a process of its own."""
    program = support.ROOT / "tests" / "other_engines" / "bench_peers.py"
    done = subprocess.run([sys.executable, str(program), *arguments], capture_output=True,
                          text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


class ArgumentsTest(unittest.TestCase):
    def expect_mistake(self, text, *arguments):
        code, _, errors = call(*arguments)
        self.assertEqual(code, 1, errors)
        self.assertIn(text, errors)
        self.assertEqual(errors.count("\n"), 1, errors)

    def test_mistakes(self):
        self.expect_mistake("'tanh' is not known; there are lstm, gru, gru0", "--cells", "tanh")
        self.expect_mistake("'a': expected numbers, as 1,2", "--hidden", "a")
        self.expect_mistake("'0': expected numbers above 0", "--batch", "0")
        self.expect_mistake("--rondo nowhere: holds no package rondo", "--rondo", "nowhere")
        self.expect_mistake("--report needs --json FILE", "--report")
        self.expect_mistake("No such file", "--report", "--json", "nowhere.json")
        self.expect_mistake("there is no such case", "--groups", "models", "--models", "nowhere")
        self.expect_mistake("must be above 0", "--rounds", "0")

    def test_help_fits_a_screen(self):
        code, text, _ = call("--help")
        self.assertEqual(code, 0)
        self.assertLessEqual(text.count("\n"), 45)
        self.assertIn("Examples", text)

    def test_list(self):
        code, text, _ = call("--list", *TINY)
        self.assertEqual(code, 0)
        self.assertIn("grid lstm H=8 N=1 T=3 D=1 threads=1", text.splitlines())


@unittest.skipUnless(os.environ.get("RONDO_PACKAGE"), "no Python module in this build")
class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = {name: os.path.join(self.folder.name, name)
                     for name in ("r.json", "r.md", "r.svg", "calibrate")}
        program = pathlib.Path(self.file["calibrate"])
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(support.calibration())}\nEND\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def tearDown(self):
        self.folder.cleanup()

    def test_measures_reports_and_goes_on(self):
        pathlib.Path(self.file["r.md"]).write_text("old".join(("above\n" + bench_peers.MARKS[0],
                                                             bench_peers.MARKS[1] + "below\n")))
        arguments = ["--rondo", os.environ["RONDO_PACKAGE"], *TINY,
                     "--calibrate", self.file["calibrate"], "--json", self.file["r.json"],
                     "--markdown", self.file["r.md"], "--svg", self.file["r.svg"]]
        code, text, errors = run(*arguments)
        self.assertEqual(code, 0, errors)
        self.assertEqual(text.count("lstm H=8 N=1 T=3 D=1"), 2)  # the layer and a stack of two
        data = json.loads(pathlib.Path(self.file["r.json"]).read_text())
        self.assertEqual(len(data["cases"]), 8 // 2 + 2)
        self.assertGreater(min(record["times"]["rondo"]["min_us"]
                               for record in data["cases"].values()), 0)
        report = pathlib.Path(self.file["r.md"]).read_text()
        self.assertTrue(report.startswith("above\n") and report.endswith("below\n"))
        self.assertIn("Two layers", report)
        self.assertIn("A CPU, avx512", report)
        self.assertNotIn("old", report)
        before = pathlib.Path(self.file["r.json"]).stat().st_mtime_ns
        self.assertEqual(run(*arguments)[0], 0)  # all is measured
        self.assertEqual(pathlib.Path(self.file["r.json"]).stat().st_mtime_ns, before)


if __name__ == "__main__":
    support.main()
