"""The linter finds each kind of fault in includes and file lists, and none in a tree without."""

import unittest

import lint_tree


class LintTest(lint_tree.TreeTest):
    def test_a_good_tree_has_no_faults(self):
        self.assertEqual(self.faults(), "")

    def test_an_upward_include(self):
        self.write("core/graph/a.cpp", '#include "core/ops/add.hpp"\n')
        self.assertIn('core/graph/a.cpp:1: core/graph may not include "core/ops/add.hpp"',
                      self.faults())

    def test_a_room_inside_a_room(self):
        self.write("core/ops/CMakeLists.txt", "b.cpp")
        self.write("core/ops/b.cpp", '#include "core/ops/reference/evaluate.hpp"\n')
        self.assertIn("core/ops may not include", self.faults())

    def test_a_sideways_include(self):
        self.write("plugins/cpu/kernels/CMakeLists.txt", "k.cpp")
        self.write("plugins/cpu/kernels/k.cpp", '#include "core/graph/node.hpp"\n')
        self.assertIn("plugins/cpu/kernels may not include", self.faults())

    def test_a_third_party_header_in_the_wrong_room(self):
        self.write("core/graph/a.cpp", "#include <xbyak/xbyak.h>\n")
        self.assertIn("<xbyak/xbyak.h> belongs to plugins/cpu/jit alone", self.faults())

    def test_an_installed_header_that_reaches_inside(self):
        self.write("core/include/rondo/x.hpp",
                   '// X.\n#pragma once\n#include "core/graph/node.hpp"\n')
        self.assertIn('an installed header may not include "core/graph/node.hpp"', self.faults())

    def test_a_binding_that_reaches_inside(self):
        self.write("bindings/c/CMakeLists.txt", "core.cpp")
        self.write("bindings/c/core.cpp",
                   '#include "bindings/c/handles.hpp"\n#include "core/graph/node.hpp"\n')
        faults = self.faults()
        self.assertIn('bindings/c/core.cpp:2: bindings/c may not include "core/graph/node.hpp"',
                      faults)
        self.assertNotIn("handles.hpp", faults)

    def test_a_c_header_that_reaches_inside(self):
        self.write("bindings/c/include/rondo/x.h",
                   '// X.\n#pragma once\n#include "bindings/c/handles.hpp"\n')
        self.assertIn('an installed header may not include "bindings/c/handles.hpp"', self.faults())

    def test_a_file_that_is_not_listed(self):
        self.write("core/graph/b.cpp", "")
        self.assertIn("core/graph/b.cpp:1: is not listed in core/graph/CMakeLists.txt",
                      self.faults())

    def test_a_header_without_its_sentence(self):
        self.write("core/graph/a.hpp", "#pragma once\n")
        self.assertIn("a header opens with a sentence", self.faults())
        self.write("core/graph/a.hpp", "// A.\n")
        self.assertIn("a header needs #pragma once", self.faults())

    def test_a_list_out_of_order(self):
        self.write("core/graph/a.cpp", "// keep-sorted\nconst int kOps[] = {\n    b,\n    a,\n};\n")
        self.assertIn("keep-sorted list: 'a,' is out of order", self.faults())

    def test_a_path_of_one_machine(self):
        self.write("docs/a.md", "see /home" + "/me/x\n")
        self.assertIn("docs/a.md:1: names a path of one machine", self.faults())


if __name__ == "__main__":
    unittest.main()
