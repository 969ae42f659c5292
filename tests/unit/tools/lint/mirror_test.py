"""Product folders without a test."""

import unittest

import lint_tree


class MirrorTest(lint_tree.TreeTest):
    def setUp(self):
        super().setUp()
        self.write("core/ir/CMakeLists.txt", "rondo_module(rondo_core_ir SOURCES\n    b.cpp)\n")
        self.write("core/ir/b.cpp", "// B.\n")

    def test_a_folder_without_a_test(self):
        self.expect_fault("core/ir/b.cpp:1: its folder has no tests: neither tests/unit/core/ir "
                          "nor tests/unit/core")

    def test_a_test_of_another_file_of_the_folder(self):
        self.add_test("core/ir")
        self.write("core/ir/c.hpp", "// C.\n#pragma once\n")
        self.expect_clean()

    def test_a_test_of_the_folder_above(self):
        self.add_test("core")
        self.expect_clean()

    def test_the_tests_of_ops_cover_evaluators(self):
        self.add_test("core/ir")
        self.write("core/ops/reference/CMakeLists.txt", "movement/x.cpp")
        self.write("core/ops/reference/movement/x.cpp", "// X.\n")
        self.assertIn("movement/x.cpp:1: its folder has no tests", self.faults())
        self.write("tests/unit/core/ops/CMakeLists.txt", "movement/y_test.cpp")
        self.write("tests/unit/core/ops/movement/y_test.cpp", "")
        self.assertNotIn("has no tests", self.faults())

    def add_test(self, folder):
        self.write(f"tests/unit/{folder}/CMakeLists.txt", "any_test.cpp")
        self.write(f"tests/unit/{folder}/any_test.cpp", "// Any.\n")


if __name__ == "__main__":
    unittest.main()
