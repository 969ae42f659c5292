"""A run goes on where it was, and never mixes two setups."""

import os
import tempfile
import unittest

import support
from bench_peers_lib import cases, results


class ResultsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "r.json")
        self.setup = {"versions": {"rondo": "1"}}
        self.cases = cases.all_cases(cases.Selection(groups=("grid", "models"), hidden=(64,)),
                                     [cases.RealModel("vad", 2)])

    def tearDown(self):
        self.folder.cleanup()

    def write_one(self):
        first = results.Results.open(self.path, self.setup, False)
        first.add(self.cases[0], support.times(rondo=1), {"torch": "no"}, None)

    def test_goes_on(self):
        self.write_one()
        again = results.Results.open(self.path, self.setup, False)
        self.assertTrue(again.has(self.cases[0]))
        self.assertFalse(again.has(self.cases[1]))
        self.assertEqual(again.records[self.cases[0].key]["refused"], {"torch": "no"})

    def test_fresh(self):
        self.write_one()
        self.assertFalse(results.Results.open(self.path, self.setup, True).records)

    def test_another_setup_is_refused(self):
        self.write_one()
        with self.assertRaisesRegex(results.ResultsError, "measured with versions.*--fresh"):
            results.Results.open(self.path, {"versions": {"rondo": "2"}}, False)

    def test_other_files_are_refused(self):
        for text in ("", "[]", "{}", '{"format": 1, "setup": {}, "cases": []}'):
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(results.ResultsError, "not a results file"):
                results.Results.read(self.path)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write('{"format": 99}')
        with self.assertRaisesRegex(results.ResultsError, "format 99; expected 1"):
            results.Results.read(self.path)

    def test_subjects_survive(self):
        for case in (self.cases[0], self.cases[-1]):
            record = results.subject_record(case.subject)
            self.assertEqual(results.read_subject(record), case.subject)

    def test_without_a_file(self):
        nowhere = results.Results.open(None, self.setup, False)
        nowhere.add(self.cases[0], {}, {}, None)
        self.assertTrue(nowhere.has(self.cases[0]))


if __name__ == "__main__":
    support.main()
