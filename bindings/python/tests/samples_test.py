"""The samples with real models run in Python; tests/embed runs those in C++ the same way."""

import pathlib
import sys
import tempfile
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/embed"))
import samples  # noqa: E402


class SamplesTest(unittest.TestCase):
    def check(self, sample, check):
        reason = samples.missing(sample)
        if reason:
            self.skipTest(reason)
        program = ROOT / f"docs/samples/{sample}/{sample}.py"
        with tempfile.TemporaryDirectory() as folder:
            check([sys.executable, program], pathlib.Path(folder))

    def test_vad(self):
        self.check("vad", samples.check_vad)

    def test_denoise(self):
        self.check("denoise", samples.check_denoise)


if __name__ == "__main__":
    support.main()
