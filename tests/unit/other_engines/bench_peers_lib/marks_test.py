"""Texts between marks."""

import pathlib
import tempfile
import unittest

import support
from bench_peers_lib import marks

MARKS = ("<!-- start -->\n", "<!-- end -->\n")


class MarksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "page.md"

    def put(self, before, text, between=MARKS):
        self.path.write_text(before, encoding="utf-8")
        marks.put_between(self.path, between, text)
        return self.path.read_text(encoding="utf-8")

    def test_what_was_between_goes(self):
        self.assertEqual(self.put("a\n<!-- start -->\nold\n<!-- end -->\nb\n", "new\n"),
                         "a\n<!-- start -->\nnew\n<!-- end -->\nb\n")

    def test_both_marks_may_be_the_same(self):
        self.assertEqual(self.put("a|old|b", "new", ("|", "|")), "a|new|b")

    def test_a_missing_mark_is_an_error(self):
        for text in "", "<!-- start -->\n", "<!-- end -->\n<!-- start -->\n":
            with self.assertRaisesRegex(SystemExit, "page.md: expected the marks <!-- start -->"):
                self.put(text, "new")
            self.assertEqual(self.path.read_text(encoding="utf-8"), text)


if __name__ == "__main__":
    support.main()
