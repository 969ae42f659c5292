"""The choice of lines and mutants depends on the seed alone."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "mutation"))

from mutation_lib import choosing  # noqa: E402  (looked for first)
from mutation_lib.rewriting import Mutant  # noqa: E402


def mutant(line, start, what="a"):
    return Mutant("x.cpp", line, start, start + 2, what, "")


class ChoosingTest(unittest.TestCase):
    def test_scope(self):
        self.assertTrue(choosing.in_scope("core/ir/xml_reader.cpp"))
        self.assertTrue(choosing.in_scope("plugins/cpu/plugin/plan/planner.cpp"))
        for name in ("core/ir/xml_reader.hpp", "core/graph/shape.cpp",
                     "frontend/onnx/writer/graph_writer.cpp"):
            self.assertFalse(choosing.in_scope(name), name)

    def test_lines_are_shuffled_by_the_seed(self):
        texts = {"b.cpp": "x = 1;\n" * 20, "a.cpp": "y = 2;\n" * 10}
        lines = choosing.shuffled_lines(texts, 5)
        self.assertEqual(len(set(lines)), 30)
        self.assertEqual(lines, choosing.shuffled_lines(dict(reversed(texts.items())), 5))
        self.assertNotEqual(lines, choosing.shuffled_lines(texts, 6))

    def test_lines_without_code(self):
        text = "// why\n\n#include <map>\nnamespace a {\n    });\n    } else {\n  f(); // why\n"
        lines = choosing.shuffled_lines({"a.cpp": text}, 1)
        self.assertEqual(sorted(line for _, line in lines), [6, 7])

    def test_mutants_of_a_line(self):
        mutants = [mutant(3, start) for start in range(40, 80, 4)] + [mutant(4, 90)]
        shuffled = choosing.shuffled_mutants(mutants, 3, 7)
        self.assertEqual(len(shuffled), 10)
        self.assertEqual(shuffled, choosing.shuffled_mutants(mutants[::-1], 3, 7))
        self.assertNotEqual(shuffled, choosing.shuffled_mutants(mutants, 3, 8))

    def test_flags(self):
        command = ("ccache c++ -DNAME=1 -I/a -isystem /b -Wall -O3 -std=c++20 -mavx2 "
                   "-o x.o -c x.cpp")
        self.assertEqual(choosing.flags_of(command),
                         ["-DNAME=1", "-I/a", "-isystem", "/b", "-std=c++20", "-mavx2"])

    def test_chosen_ones_lie_apart(self):
        chosen = []
        choosing.add_apart(chosen, [mutant(1, 10), None, mutant(2, 11), mutant(3, 20),
                                    mutant(4, 30)], 2)
        self.assertEqual([(one.number, one.line) for one in chosen], [(1, 1), (2, 3)])


if __name__ == "__main__":
    unittest.main()
