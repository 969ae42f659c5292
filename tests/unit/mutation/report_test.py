"""The totals and the table of mutants."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "mutation"))

from mutation_lib import report  # noqa: E402  (looked for first)
from mutation_lib.judging import Verdict  # noqa: E402
from mutation_lib.rewriting import Mutant  # noqa: E402

MUTANTS = [Mutant("a.cpp", 5, 0, 1, "a || b -> a && b", "", 1), Mutant("a.cpp", 9, 3, 4, "x", "", 2),
           Mutant("b.cpp", 2, 0, 1, "y", "", 3), Mutant("b.cpp", 7, 0, 1, "z", "", 4)]
VERDICTS = {1: Verdict(1, 4, "Test.one", "fails"), 2: Verdict(2, 3), 3: Verdict(3, 0),
            4: Verdict(4, 1, "Real.model", "crashes", True)}


class ReportTest(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(report.counts(MUTANTS, VERDICTS),
                         {"judged": 4, "caught": 2, "by_models": 1, "unreached": 1})
        self.assertEqual(report.summary(MUTANTS, VERDICTS, 16, 120),
                         "Seed 16: 2 of 4 mutants are caught (50.0 %), 1 of them by real models "
                         "alone; 1 survivors are reached by no test; 2 minutes.")
        self.assertEqual(report.summary(MUTANTS, {}, 16, 0), "no mutant has run")

    def test_table(self):
        lines = report.table(MUTANTS, {one: VERDICTS[one] for one in (1, 2, 3)})
        self.assertEqual(lines[2], "| 1 | a.cpp:5 | `a \\|\\| b -> a && b` | Test.one fails |")
        self.assertEqual(lines[3], "| 2 | a.cpp:9 | `x` | **survives** 3 tests |")
        self.assertEqual(lines[4], "| 3 | b.cpp:2 | `y` | **not reached** |")
        self.assertEqual(len(lines), 5)
        self.assertTrue(report.outcome(VERDICTS[4]).endswith("crashes (real models)"))


if __name__ == "__main__":
    unittest.main()
