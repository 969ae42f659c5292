"""A small source tree that keeps the house rules, for tests that break one of them."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tools" / "lint"))

import lint  # noqa: E402  (the path must be set first)


class TreeTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("core/graph/CMakeLists.txt", "rondo_module(rondo_core_graph SOURCES\n    a.cpp)\n")
        self.write("core/graph/a.cpp", '#include "core/graph/a.hpp"\n')
        self.write("core/graph/a.hpp", "// What it holds.\n#pragma once\n")
        self.write("tests/unit/core/graph/CMakeLists.txt", "a_test.cpp")
        self.write("tests/unit/core/graph/a_test.cpp", "")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def faults(self):
        return "\n".join(lint.Linter(self.root).run())

    def expect_fault(self, text):
        """Exactly this one."""
        self.assertEqual(self.faults(), text)

    def expect_clean(self):
        self.assertEqual(self.faults(), "")
