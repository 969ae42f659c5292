"""The text of mutants, and of files that hold several."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "mutation"))

from mutation_lib import rewriting  # noqa: E402  (looked for first)
from mutation_lib.rewriting import Mutant  # noqa: E402


class RewritingTest(unittest.TestCase):
    def test_operators(self):
        what, code = rewriting.other_operator("a", "<", "b", in_for=False)
        self.assertEqual(what, "a < b -> a <= b")
        self.assertEqual(code, "(mutation::mutant(@) ? a <= b : a < b)")
        self.assertIsNone(rewriting.other_operator("a", "=", "b", in_for=False))

    def test_loops_end_a_round_early(self):
        what, _ = rewriting.other_operator("i", "<", "n", in_for=True)
        self.assertEqual(what, "i < n -> i + 1 < n")

    def test_numbers(self):
        self.assertEqual(rewriting.changed_number("0", "")[1], "(mutation::mutant(@) ? 1 : 0)")
        self.assertEqual(rewriting.changed_number("7", "long")[1],
                         "static_cast<long>(mutation::mutant(@) ? 7 + 1 : 7)")
        self.assertEqual(rewriting.other_truth("true"), ("true -> false", "(mutation::mutant(@) != true)"))

    def test_jumps_stay_closed_statements(self):
        self.assertEqual(rewriting.jump_removed("continue")[1],
                         "if (mutation::mutant(@)) {} else continue")
        self.assertEqual(rewriting.empty_return("return x")[1],
                         "if (mutation::mutant(@)) return {}; else return x")

    def test_long_texts_are_cut(self):
        what, code = rewriting.negated("a " * 60)
        self.assertLess(len(what), 80)
        self.assertIn("a " * 60, code)

    def test_several_in_a_file(self):
        source = b"if (a)\n f(0);\n"
        number = Mutant("x.cpp", 2, 10, 11, "", "(@ ? 1 : 0)", 12)
        condition = Mutant("x.cpp", 1, 4, 5, "", "(@ != a)", 3)
        self.assertEqual(rewriting.with_mutants(source, [number, condition]),
                         b"if ((3 != a))\n f((12 ? 1 : 0));\n")

    def test_lines_keep_their_numbers(self):
        self.assertTrue(rewriting.with_header(b"int a;\n").endswith(b"#line 1\nint a;\n"))

    def test_overlaps(self):
        one = Mutant("x.cpp", 1, 4, 9, "", "")
        self.assertTrue(one.overlaps(Mutant("x.cpp", 1, 6, 7, "", "")))
        self.assertTrue(one.overlaps(Mutant("x.cpp", 1, 9, 9, "", "")))
        self.assertFalse(one.overlaps(Mutant("x.cpp", 1, 10, 12, "", "")))
        self.assertFalse(one.overlaps(Mutant("y.cpp", 1, 6, 7, "", "")))


if __name__ == "__main__":
    unittest.main()
