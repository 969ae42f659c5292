"""Sizes of files, functions and folders, and the sentences that open a .cpp."""

import unittest

import lint_tree


class SizesTest(lint_tree.TreeTest):
    def test_a_long_file(self):
        self.write("core/graph/a.cpp", "int x;\n" * 601)
        self.expect_fault("core/graph/a.cpp:601: 601 lines; a file stays under 600")
        self.write("core/graph/a.cpp", "// lint: allow(size): a table\n" + "int x;\n" * 601)
        self.expect_clean()

    def test_a_long_line(self):
        self.write("core/graph/a.cpp", '#include "core/graph/a.hpp"\n// ' + "a" * 97 + "\n")
        self.expect_clean()
        self.write("core/graph/a.cpp", '#include "core/graph/a.hpp"\n// ' + "a" * 98 + "\n")
        self.expect_fault("core/graph/a.cpp:2: 101 columns; code has at most 100")

    def test_a_long_python_file(self):
        self.write("tools/a.py", "X = 1\n" * 601)
        self.expect_fault("tools/a.py:601: 601 lines; a file stays under 600")

    def test_a_long_python_function(self):
        self.write("tools/a.py", "class A:\n    def f(self):\n" + "        x = 1\n" * 60)
        self.expect_fault("tools/a.py:2: f has 61 lines; a function has at most 60")
        self.write("tools/a.py", "def f():\n" + "    x = 1\n" * 59)
        self.expect_clean()

    def test_a_crowded_folder(self):
        for i in range(48):
            self.write(f"docs/page_{i}.md", "A page.\n")
        self.expect_clean()
        self.write("docs/page_48.md", "A page.\n")
        self.expect_fault("docs:1: 49 files; a folder has at most 48")

    def test_a_source_without_its_sentence(self):
        self.write("tests/stress/CMakeLists.txt", "b.cpp")
        self.write("tests/stress/b.cpp", "int b;\n")
        self.expect_fault(
            "tests/stress/b.cpp:1: a .cpp without a header of its own opens with a sentence")
        self.write("tests/stress/b.cpp", "// Many threads.\nint b;\n")
        self.expect_clean()
        self.write("tests/stress/b.cpp", "int b;\n")
        self.write("tests/stress/b.hpp", "// B.\n#pragma once\n")
        self.expect_clean()

    def test_an_installed_header_introduces_its_source(self):
        self.write("core/graph/CMakeLists.txt", "a.cpp shape.cpp")
        self.write("tests/unit/core/graph/CMakeLists.txt", "a_test.cpp shape_test.cpp")
        self.write("tests/unit/core/graph/shape_test.cpp", "")
        self.write("core/graph/shape.cpp", "")
        self.assertIn("core/graph/shape.cpp:1: a .cpp without", self.faults())
        self.write("core/include/rondo/shape.hpp", "// Shapes.\n#pragma once\n")
        self.expect_clean()

    def test_a_test_of_no_file_needs_its_sentence(self):
        self.write("tests/unit/core/graph/CMakeLists.txt", "a_test.cpp all_test.cpp")
        self.write("tests/unit/core/graph/all_test.cpp", "int b;\n")
        self.assertIn("all_test.cpp:1: a .cpp without", self.faults())


if __name__ == "__main__":
    unittest.main()
