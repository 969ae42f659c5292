"""The linter finds each kind of fault, and none in a tree that keeps the rules."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tools" / "lint"))

import lint  # noqa: E402  (the path must be set first)


class LintTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("core/graph/CMakeLists.txt", "rondo_module(rondo_core_graph SOURCES\n    a.cpp)\n")
        self.write("core/graph/a.cpp", '#include "core/graph/a.hpp"\n')
        self.write("core/graph/a.hpp", "// What it holds.\n#pragma once\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def faults(self):
        return "\n".join(lint.Linter(self.root).run())

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
        self.assertEqual('bindings/c/core.cpp:2: bindings/c may not include "core/graph/node.hpp"',
                         self.faults())

    def test_a_c_header_that_reaches_inside(self):
        self.write("bindings/c/include/rondo/x.h",
                   '// X.\n#pragma once\n#include "bindings/c/handles.hpp"\n')
        self.assertIn('an installed header may not include "bindings/c/handles.hpp"', self.faults())

    def test_a_file_that_is_not_listed(self):
        self.write("core/graph/b.cpp", "")
        self.assertIn("core/graph/b.cpp:1: is not listed in core/graph/CMakeLists.txt",
                      self.faults())

    def test_a_long_file(self):
        self.write("core/graph/a.cpp", "int x;\n" * 401)
        self.assertIn("a file stays under 400", self.faults())
        self.write("core/graph/a.cpp", "// lint: allow(size): a table\n" + "int x;\n" * 401)
        self.assertEqual(self.faults(), "")

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
