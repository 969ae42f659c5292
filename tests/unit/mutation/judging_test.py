"""A mutant is caught by a test that fails with it alone, and passes without it."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "mutation"))

from mutation_lib import ctests, judging, tracing  # noqa: E402  (looked for first)


def script(name, code):
    return ctests.Test(name, [sys.executable, "-c", "import os\n"
                              "active = os.environ['MUTATION_ACTIVE']\n" + code], ".", {})


def judge(tests, traces):
    return judging.Judge(tests, traces, models="")


class JudgingTest(unittest.TestCase):
    def test_the_quickest_that_fails(self):
        tests = [script(name, "assert active != '3'") for name in ("slow", "quick", "elsewhere")]
        traces = {"slow": tracing.Trace(2.0, [3]), "quick": tracing.Trace(1.0, [1, 3]),
                  "elsewhere": tracing.Trace(0.5, [1])}
        verdict = judge(tests, traces).judge(3)
        self.assertEqual(verdict, judging.Verdict(3, 2, "quick", "fails"))
        self.assertEqual(judge(tests, traces).judge(1).caught_by, "")

    def test_unreached(self):
        verdict = judge([script("one", "")], {"one": tracing.Trace(1.0, [])}).judge(1)
        self.assertEqual(verdict, judging.Verdict(1, 0))

    def test_tests_that_fail_anyway_catch_nothing(self):
        tests = [script("broken", "assert False")]
        self.assertEqual(judge(tests, {"broken": tracing.Trace(1.0, [1])}).judge(1).caught_by, "")
        unusable = {"broken": tracing.Trace(1.0, [1], usable=False)}
        self.assertEqual(judge(tests, unusable).judge(1).reached_by, 0)

    def test_real_models_come_last(self):
        tests = [script("real", "assert active == '0'"), script("small", "assert active == '0'")]
        traces = {"real": tracing.Trace(0.1, [1, 2], needs_models=True),
                  "small": tracing.Trace(1.0, [1])}
        self.assertEqual(judge(tests, traces).judge(1).caught_by, "small")
        verdict = judge(tests, traces).judge(2)
        self.assertEqual((verdict.caught_by, verdict.needs_models), ("real", True))

    def test_all(self):
        verdicts = []
        tests = [script("one", "assert active != '2'")]
        judging.judge_all(judge(tests, {"one": tracing.Trace(0.1, [1, 2])}), [1, 2], 2,
                          verdicts.append)
        self.assertEqual({one.number: one.caught_by for one in verdicts}, {1: "", 2: "one"})


if __name__ == "__main__":
    unittest.main()
