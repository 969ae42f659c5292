"""Ops that a list lacks."""

import unittest

import lint_tree

OP = """// An op.
#pragma once
class {name} final : public Op<{name}> {{
public:
    static constexpr OpType kType{{"{name}", 1}};
}};
"""


class OpListsTest(lint_tree.TreeTest):
    def setUp(self):
        super().setUp()
        self.header("movement", "Move")

    def header(self, room, op):
        name = f"core/ops/{room}/{op.lower()}"
        self.write(f"{name}.hpp", OP.format(name=op))
        folder = f"tests/unit/core/ops/{room}"
        self.write(f"{folder}/{op.lower()}_test.cpp", "")
        self.write(f"{folder}/CMakeLists.txt", f"{op.lower()}_test.cpp")

    def lists(self, ops, evaluators):
        self.write("core/ops/op_list.cpp", "// Ops.\n" + ops)
        self.write("core/ops/reference/evaluator_list.cpp", "// Evaluators.\n" + evaluators)
        self.write("tests/unit/core/ops/a_test.cpp", "// A.\n")
        self.write("tests/unit/core/ops/CMakeLists.txt", "a_test.cpp")
        self.write("core/ops/CMakeLists.txt", "op_list.cpp")
        self.write("core/ops/reference/CMakeLists.txt", "evaluator_list.cpp")

    def test_ops_that_are_listed(self):
        self.lists("    entry<Move>(),\n", "    EvaluatorEntry{&ops::Move::kType, move},\n")
        self.expect_clean()

    def test_an_op_that_no_list_has(self):
        self.lists("    entry<Remove>(),\n", "    EvaluatorEntry{&ops::Moved::kType, moved},\n")
        place = "core/ops/movement/move.hpp:5: the op Move is not in core/ops/"
        self.expect_fault(f"{place}op_list.cpp\n{place}reference/evaluator_list.cpp")

    def test_ops_without_an_evaluator(self):
        self.header("state", "Assign")
        self.lists("    entry<Assign>(),\n    entry<Move>(),\n", "    {&ops::Move::kType, move},\n")
        self.expect_clean()


if __name__ == "__main__":
    unittest.main()
