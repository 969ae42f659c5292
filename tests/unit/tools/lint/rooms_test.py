"""Circles of files and of rooms, and what families may not include."""

import unittest

import lint_tree


class RoomsTest(lint_tree.TreeTest):
    def add(self, name, *includes):
        """A header with these includes, and a test."""
        lines = "".join(f'#include "{other}"\n' for other in includes)
        self.write(name, "// A header.\n#pragma once\n" + lines)
        mirror = f"tests/unit/{name.removesuffix('.hpp')}_test.cpp"
        folder, _, file = mirror.rpartition("/")
        self.write(mirror, "")
        lists = self.root / folder / "CMakeLists.txt"
        self.write(f"{folder}/CMakeLists.txt",
                   (lists.read_text() if lists.exists() else "") + f" {file}")

    def test_a_circle_of_files(self):
        self.add("core/graph/b.hpp", "core/graph/a.hpp")
        self.expect_clean()
        self.write("core/graph/a.cpp", '#include "core/graph/a.hpp"\n#include "core/graph/b.hpp"\n')
        self.expect_fault("core/graph/a:1: includes go in a circle: core/graph/a, core/graph/b")

    def test_a_circle_of_rooms(self):
        self.add("core/graph/x/a.hpp", "core/graph/y/a.hpp")
        self.add("core/graph/y/a.hpp")
        self.add("core/graph/y/b.hpp")
        self.expect_clean()
        self.add("core/graph/y/b.hpp", "core/graph/x/a.hpp")
        self.expect_fault("core/graph:1: rooms include each other: x, y")

    def test_a_long_circle_of_rooms(self):
        self.add("core/graph/x/a.hpp", "core/graph/y/a.hpp")
        self.add("core/graph/y/a.hpp", "core/graph/z/a.hpp")
        self.add("core/graph/z/a.hpp")
        self.expect_clean()
        self.add("core/graph/z/b.hpp", "core/graph/x/a.hpp")
        self.expect_fault("core/graph:1: rooms include each other: x, y, z")

    def test_a_circle_through_the_folder_itself(self):
        self.add("core/graph/list.hpp", "core/graph/x/a.hpp")
        self.add("core/graph/x/a.hpp")
        self.expect_clean()
        self.add("core/graph/x/b.hpp", "core/graph/list.hpp")
        self.expect_fault("core/graph:1: rooms include each other: ., x")

    def test_a_family_that_includes_a_registry(self):
        self.add("core/ops/op_list.hpp")
        self.add("core/ops/movement/a.hpp")
        self.expect_clean()
        self.add("core/ops/movement/a.hpp", "core/ops/op_list.hpp")
        self.expect_fault(
            "core/ops/movement/a.hpp:3: a family may not include a registry of core/ops")

    def test_common_that_includes_a_family(self):
        self.add("core/ops/movement/a.hpp", "core/ops/common/a.hpp")
        self.add("core/ops/common/a.hpp")
        self.expect_clean()
        self.add("core/ops/reduction/a.hpp")
        self.add("core/ops/common/b.hpp", "core/ops/reduction/a.hpp")
        self.expect_fault(
            "core/ops/common/b.hpp:3: core/ops/common may not include a family")

    def test_not_yet(self):
        self.add("core/graph/x/a.hpp", "core/graph/y/a.hpp")
        self.add("core/graph/y/a.hpp")
        self.add("core/graph/y/b.hpp", "core/graph/x/a.hpp")
        self.write("tools/lint/not_yet.txt", "rooms core/graph/y/*\n")
        self.expect_clean()


if __name__ == "__main__":
    unittest.main()
