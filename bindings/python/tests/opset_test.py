"""The modules rondo.opset1 and its like: what is in them, and the order of parameters."""

import importlib
import inspect
import unittest

import rondo as ov
import support
from rondo._openvino import op_table as _op_table, ops as _ops
from rondo import opset15 as ops


class ModulesTest(unittest.TestCase):
    def test_how_they_are_imported(self):
        import rondo.opset13 as by_import
        from rondo import opset13 as by_name
        from rondo.opset13 import relu
        self.assertIs(by_import, by_name)
        self.assertIs(relu, by_name.relu)
        with self.assertRaisesRegex(AttributeError, "opset1 to opset16"):
            ov.opset99

    def test_each_op_is_in_its_opset(self):
        self.assertIn("identity", dir(ov.opset16))
        with self.assertRaisesRegex(AttributeError, "opset13 has no op 'identity'; opset16 has it"):
            ov.opset13.identity
        with self.assertRaisesRegex(AttributeError, "did you mean 'softmax'"):
            ov.opset13.sofmax
        self.assertEqual(ov.opset1.softmax(ops.parameter([2, 3]), 1).opset, "opset1")
        self.assertEqual(ov.opset8.softmax(ops.parameter([2, 3]), 1).opset, "opset8")

    def test_every_op_that_is_read_can_be_built(self):
        special = {"const", "if", "loop", "parameter", "result", "tensoriterator"}
        for kind, opset, _ in _ops._known_ops():
            rows = _op_table.RONDO if opset == "rondo1" else _op_table.STANDARD
            names = {_op_table.TYPES.get(name, name.replace("_", "")).lower() for name in rows}
            self.assertIn(kind.lower(), names | special, f"{kind} of {opset}")

    def test_every_function_can_be_made_and_says_what_it_takes(self):
        for module in ov._OPSETS.values():
            for name in dir(module):
                function = getattr(module, name)
                self.assertTrue(inspect.getdoc(function), f"{module.__name__}.{name}")
                self.assertIn("name", inspect.signature(function).parameters)

    def test_attributes_are_those_of_the_op(self):
        for module in ov._OPSETS.values():
            for name in set(dir(module)) - set(_op_table.SPECIAL):
                kind, opset, defaults = module._form(name)
                if not defaults:
                    continue
                _, row = module._row(name)
                known = {attribute for attribute, _ in defaults} | {"hidden_size", "auto_broadcast"}
                for text in row.split():
                    parameter = _ops._Parameter(text)
                    if parameter.attribute is not None:
                        self.assertIn(parameter.attribute, known, f"{name} of {opset}")

    def test_parameters_are_in_openvinos_order(self):
        try:
            import openvino
        except ImportError:
            self.skipTest("openvino is not installed")
        compared = 0
        for number in range(1, 17):
            theirs = importlib.import_module(f"openvino.opset{number}")
            ours = ov._OPSETS[f"opset{number}"]
            for name in set(dir(ours)) & set(dir(theirs)):
                try:
                    expected = list(inspect.signature(getattr(theirs, name)).parameters)
                except ValueError:
                    continue
                got = list(inspect.signature(getattr(ours, name)).parameters)
                if expected == ["args", "kwargs"] or name in ("constant", "deformable_convolution"):
                    continue
                with self.subTest(op=name, opset=number):
                    self.assertEqual(got, expected)
                compared += 1
        self.assertGreater(compared, 1000)
        self.assertTrue(openvino.get_version())


if __name__ == "__main__":
    support.main()
