#!/usr/bin/env python3
"""Makes an op in a copy of the tree, where lint finds nothing missing."""

import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools/lint")]

import lint  # noqa: E402  (the path must be set first)
import new_op  # noqa: E402


class NewOpTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in ("core/ops", "tests/unit/core"):
            shutil.copytree(ROOT / name, self.root / name)

    def make(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            new_op.main(arguments, self.root)
        return shown.getvalue()

    def faults(self):
        """Of what the op is in."""
        return [fault for fault in lint.Linter(self.root).run() if "roll" in fault.lower()]

    def test_an_op(self):
        shown = self.make("RollNDBack", "movement", "--opset", "7")
        self.assertIn("core/ops/op_list.cpp: entry<RollNDBack>(),\n", shown)
        self.assertIn("core/ops/op_list.cpp: template class Clonable<ops::RollNDBack>;\n", shown)
        self.assertEqual(len(shown.splitlines()), 13)
        self.assertEqual(self.faults(), [])
        header = (self.root / "core/ops/movement/roll_nd_back.hpp").read_text()
        self.assertIn('kType{"RollNDBack", 7}', header)
        test = (self.root / "tests/unit/core/ops/movement/roll_nd_back_test.cpp").read_text()
        self.assertIn('find_op("RollNDBack", "opset7")', test)
        evaluators = (self.root / "core/ops/reference/common/evaluators.hpp").read_text()
        self.assertLess(evaluators.index("Evaluation roi_align;"),
                        evaluators.index("Evaluation roll_nd_back;"))
        self.assertLess(evaluators.index("Evaluation roll_nd_back;"),
                        evaluators.index("Evaluation scatter_elements;"))

    def test_each_room(self):
        for number, room in enumerate(new_op.rooms_of(ROOT)):
            with self.subTest(room):
                self.make(f"Roll{number}", room)
        self.assertEqual(self.faults(), [])

    def test_what_is_refused(self):
        for arguments, message in ((("roll", "movement"), "'roll' is not a type"),
                                   (("Roll", "moving"), "no room 'moving'; there are: .*movement"),
                                   (("Transpose", "movement"), "transpose.cpp is there already")):
            with self.assertRaisesRegex(SystemExit, message):
                self.make(*arguments)


if __name__ == "__main__":
    unittest.main()
