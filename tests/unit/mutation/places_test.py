"""Which places of a small source file are changed, and that the changes compile."""

import tempfile
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests" / "mutation"))

try:
    from mutation_lib import places
    FLAGS = ["-std=c++20", "-include", "switch.hpp", "-resource-dir", places.resource_folder()]
except (ImportError, FileNotFoundError):
    print("needs libclang and clang-14")
    sys.exit(77)

SWITCH = "namespace mutation { bool mutant(int); }\n"
SOURCE = """\
void internal_check(bool holds);
void note(int);
constexpr int kSize = 3 + 4;
int sum(int a, int b) {
    internal_check(a < b);
    if (a == 7) throw a + 1;
    for (int i = 0; i < b; ++i) note(i);
    static_assert(1 + 1 == 2);
    return a + b;
}
bool both(bool a, bool b) {
    return a && !b;
}
void nothing(int a) {
    if (a > 2) return;
    note(a);
}
"""


class PlacesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tree = pathlib.Path(folder.name)
        (tree / "switch.hpp").write_text(SWITCH)
        (tree / "a.cpp").write_text(SOURCE)
        flags = [str(tree / "switch.hpp") if one == "switch.hpp" else one for one in FLAGS]
        self.parser = places.Parser(tree, "a.cpp", flags)

    def changes(self, line):
        return {one.what for one in self.parser.mutants if one.line == line}

    def test_what_is_changed(self):
        self.assertEqual(self.changes(6), {"!(a == 7)", "a == 7 -> a != 7", "7 -> 7 + 1"})
        self.assertEqual(self.changes(7), {"0 -> 1", "i < b -> i + 1 < b", "removed: note(i)"})
        self.assertEqual(self.changes(9), {"a + b -> a - b"})
        self.assertEqual(self.changes(12), {"!(a && !b)", "a && !b -> a || !b", "!(!b)"})
        self.assertEqual(self.changes(14), {"returns at once"})
        self.assertEqual(self.changes(16), {"removed: note(a)"})

    def test_claims_messages_and_constants_stay(self):
        for line in (1, 2, 3, 5, 8):
            self.assertEqual(self.changes(line), set(), line)

    def test_all_of_them_compile(self):
        self.assertEqual([one.what for one in self.parser.mutants if not self.parser.compiles(one)],
                         [])

    def test_one_that_does_not_compile(self):
        broken = places.Mutant("a.cpp", 9, 0, 0, "", "nonsense")
        self.assertFalse(self.parser.compiles(broken))


if __name__ == "__main__":
    unittest.main()
