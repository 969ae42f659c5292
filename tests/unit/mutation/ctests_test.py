"""Tests that ctest lists, groups of them, and how a run is judged."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "mutation"))

from mutation_lib import ctests  # noqa: E402  (looked for first)


def case(name, program="/build/tests"):
    return ctests.Test(name, [program, f"--gtest_filter={name}", "--gtest_also_run_disabled_tests"],
                       "/build", {})


def script(code):
    return ctests.Test("script", [sys.executable, "-c", code], ".", {}, skip_code=77)


class CtestsTest(unittest.TestCase):
    def test_listing(self):
        entries = [
            {"name": "A.b", "command": ["tests", "--gtest_filter=A.b"], "properties": [
                {"name": "WORKING_DIRECTORY", "value": "/build"},
                {"name": "ENVIRONMENT", "value": ["NAME=a=b"]}]},
            {"name": "Lint", "command": ["lint"], "properties": [
                {"name": "LABELS", "value": ["lint"]}]},
            {"name": "Off", "command": ["off"], "properties": [
                {"name": "DISABLED", "value": True}]},
            {"name": "Text", "command": ["text"], "properties": [
                {"name": "PASS_REGULAR_EXPRESSION", "value": ["one", "two"]}]}]
        tests = ctests.read(json.dumps({"tests": entries}))
        self.assertEqual([one.name for one in tests], ["A.b", "Text"])
        self.assertEqual(tests[0].environment, {"NAME": "a=b"})
        self.assertEqual(tests[0].folder, "/build")
        self.assertEqual(tests[1].expected, "one|two")

    def test_cases_of_one_program_share_a_process(self):
        joined = ctests.joined([case("A.b"), case("C.d")])
        self.assertEqual(joined.command, ["/build/tests", "--gtest_filter=A.b:C.d",
                                          "--gtest_also_run_disabled_tests", "--gtest_fail_fast"])
        self.assertIs(ctests.joined([one := case("A.b")]), one)

    def test_chunks(self):
        tests = [case("A.slow"), case("A.b"), case("A.c"), case("X.y", "/other"), script("")]
        seconds = {"A.slow": 9, "A.b": 2, "A.c": 1, "X.y": 3, "script": 0.5}
        names = [[one.name for one in group] for group in ctests.chunks(tests, seconds)]
        self.assertEqual(names, [["script"], ["A.c", "A.b"], ["X.y"], ["A.slow"]])
        names = [[one.name for one in group]
                 for group in ctests.chunks(tests, seconds, most_cases=1)]
        self.assertEqual(names, [["script"], ["A.c"], ["A.b"], ["X.y"], ["A.slow"]])

    def test_runs(self):
        outcome = ctests.run(script("import os; print(os.environ['NUMBER'])"), {"NUMBER": "7"}, 60)
        self.assertTrue(outcome.passed)
        self.assertEqual(outcome.output, "7\n")
        self.assertEqual(ctests.run(script("raise SystemExit(1)"), {}, 60).why, "fails")
        self.assertEqual(ctests.run(script("import os; os.abort()"), {}, 60).why, "crashes")
        self.assertEqual(ctests.run(script("import time; time.sleep(60)"), {}, 0.2).why, "hangs")

    def test_memory_is_limited(self):
        self.assertFalse(ctests.run(script(f"bytes({2 * ctests.MEMORY})"), {}, 60).passed)

    def test_skipped_ones_pass(self):
        outcome = ctests.run(script("raise SystemExit(77)"), {}, 60)
        self.assertTrue(outcome.passed and outcome.skipped)

    def test_expectations(self):
        test = script("")
        test.will_fail = True
        self.assertTrue(ctests.judged(test, 1, "", 0).passed)
        self.assertFalse(ctests.judged(test, 0, "", 0).passed)
        test = script("")
        test.expected = "three"
        self.assertTrue(ctests.judged(test, 1, "two three", 0).passed)
        self.assertFalse(ctests.judged(test, 0, "two", 0).passed)

    def test_the_case_that_failed(self):
        self.assertEqual(ctests.last_case("[ RUN      ] A.b\n[  FAILED  ] A.b (1 ms)\n"), "A.b")
        self.assertEqual(ctests.last_case("[ RUN      ] A.b\n[       OK ] A.b\n[ RUN      ] A.c\n"),
                         "A.c")
        self.assertIsNone(ctests.last_case("Traceback"))


if __name__ == "__main__":
    unittest.main()
