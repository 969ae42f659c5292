"""Product files without a test, and lines of the table that say nothing."""

import unittest

import lint_tree

TABLE = "tools/lint/covered_by.txt"


class MirrorTest(lint_tree.TreeTest):
    def setUp(self):
        super().setUp()
        self.write("core/graph/CMakeLists.txt", "a.cpp b.cpp")
        self.write("core/graph/b.cpp", "// B.\n")

    def test_a_file_without_a_test(self):
        self.expect_fault("core/graph/b.cpp:1: has no test: neither tests/unit/core/graph/b_test.cpp "
                          "nor a line in tools/lint/covered_by.txt")

    def test_a_header_without_a_test(self):
        self.write("core/graph/b.hpp", "// B.\n#pragma once\n")
        self.write(TABLE, "core/graph/b.cpp tests/unit/core/graph/a_test.cpp\n")
        self.expect_clean()  # one unit
        self.write("core/graph/c.hpp", "// C.\n#pragma once\n")
        self.assertIn("core/graph/c.hpp:1: has no test", self.faults())

    def test_a_test_elsewhere(self):
        self.write(TABLE, "# Why.\n\ncore/graph/b.*  tests/unit/core/graph/a_test.cpp tests/*\n")
        self.expect_clean()

    def test_the_test_of_an_op_covers_its_evaluator(self):
        self.write("core/ops/reference/CMakeLists.txt", "movement/x.cpp")
        self.write("core/ops/reference/movement/x.cpp", "// X.\n")
        self.write(TABLE, "core/graph/b.cpp tests/unit/core/graph/a_test.cpp\n")
        self.assertIn("movement/x.cpp:1: has no test", self.faults())
        self.write("tests/unit/core/ops/CMakeLists.txt", "movement/x_test.cpp")
        self.write("tests/unit/core/ops/movement/x_test.cpp", "")
        self.assertNotIn("has no test", self.faults())

    def test_a_line_that_no_file_needs(self):
        self.write(TABLE, "core/graph/[ab].cpp tests/*\ncore/graph/a.cpp tests/*\n")
        self.expect_fault(TABLE + ":1: 'core/graph/a.cpp' matches no file that lacks a test of its own")

    def test_a_line_without_a_test(self):
        self.write(TABLE, "core/graph/b.cpp\n")
        self.expect_fault(TABLE + ":1: 'core/graph/b.cpp' names no test")
        self.write(TABLE, "core/graph/b.cpp tests/unit/core/graph/gone_test.cpp\n")
        self.expect_fault(TABLE + ":1: there is no 'tests/unit/core/graph/gone_test.cpp'")


if __name__ == "__main__":
    unittest.main()
