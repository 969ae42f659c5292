"""The program is found beside the package, run once in a while, with the right arguments."""

import pathlib
import stat
import tempfile
import unittest

import support
from bench_peers_lib import calibrator


class CalibratorTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = pathlib.Path(self.folder.name) / "tests" / "bench" / "rondo_calibrate"
        self.program.parent.mkdir(parents=True)
        self.program.write_text("#!/bin/sh\necho '{\"arguments\": \"'\"$@\"'\"}'\n")
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def tearDown(self):
        self.folder.cleanup()

    def test_is_found_in_a_build(self):
        package_folder = pathlib.Path(self.folder.name) / "python"
        self.assertEqual(calibrator.find_program(package_folder), str(self.program))
        self.assertIsNone(calibrator.find_program(package_folder / "elsewhere"))

    def test_runs_once_in_a_while(self):
        calibrations = []
        one = calibrator.Calibrator(str(self.program), {2, 1}, calibrations, quick=True)
        self.assertEqual((one.current(), one.current()), (0, 0))
        self.assertEqual(calibrations, [{"arguments": "--json --threads 1,2 --quick"}])
        one.last -= calibrator.REPEAT_SECONDS + 1
        self.assertEqual(one.current(), 1)

    def test_without_a_program(self):
        self.assertIsNone(calibrator.Calibrator(None, {1}, []).current())


if __name__ == "__main__":
    support.main()
