"""The package as a whole: what importing costs and offers, and whether the stubs are true."""

import ast
import pathlib
import subprocess
import sys
import unittest

import rondo
import support

STUB = pathlib.Path(rondo.__file__).with_name("__init__.pyi")


def public(names):
    return {name for name in names if not name.startswith("_")}


def stub_classes():
    """Class name -> (bases, names defined in it), from the stub file."""
    classes = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef):
            names = set()
            for item in node.body:
                if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
                    names.add(item.name)
                elif isinstance(item, ast.AnnAssign):
                    names.add(item.target.id)
            classes[node.name] = ([ast.unparse(base) for base in node.bases], names)
    return classes


class ImportTest(unittest.TestCase):
    def run_python(self, text):
        return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                              check=True).stdout.strip()

    def test_importing_needs_no_onnx(self):
        text = "import sys, rondo; print([m for m in ('numpy', 'onnx') if m in sys.modules])"
        self.assertEqual(self.run_python(text), "['numpy']")

    def test_what_it_offers_is_there(self):
        for name in rondo.__all__:
            self.assertTrue(hasattr(rondo, name), name)
        self.assertEqual(rondo.properties.num_streams, "NUM_STREAMS")
        with self.assertRaisesRegex(AttributeError, "no attribute 'nonsense'"):
            rondo.nonsense
        self.assertTrue(pathlib.Path(rondo.__file__).with_name("py.typed").exists())


class StubTest(unittest.TestCase):
    def test_the_stub_names_what_the_module_offers(self):
        defined = set()
        for node in ast.parse(STUB.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                defined.add(node.name)
            elif isinstance(node, ast.Assign):
                defined.update(target.id for target in node.targets)
        self.assertEqual(public(defined), set(rondo.__all__))

    def test_classes_have_what_the_stub_says_and_no_more(self):
        classes = stub_classes()
        for name in public(classes):
            real = getattr(rondo, name)
            bases, names = classes[name]
            for base in bases:
                names = names | classes.get(base, ([], set()))[1]
            for member in names:
                self.assertTrue(hasattr(real, member), f"{name}.{member}")
            unknown = public(vars(real)) - names
            if "Mapping" in str(bases):
                unknown -= {"get", "keys", "values", "items"}
            self.assertEqual(unknown, set(), name)


if __name__ == "__main__":
    support.main()
