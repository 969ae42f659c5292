"""The package as a whole: what importing costs and offers, and whether the stubs are true."""

import ast
import importlib.util
import inspect
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import rondo
import support

# What stubtest can't know: pybind11's metaclass and constructors, private names, and modules that
# need onnx or Ray. A class's members are compared all the same.
STUBTEST_ALLOWS = r"""
rondo\._.*
rondo\.__all__
rondo\.backend
rondo\.ray
rondo\.[A-Z]\w*(\.Status)?
rondo\..*\.__(init|index|members)__
rondo\.Type\.(merge|nf4|string|u1|u3|u6)
"""
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
            unknown = public(name for name in vars(real) if hasattr(real, name)) - names
            if "Mapping" in str(bases):
                unknown -= {"get", "keys", "values", "items"}
            self.assertEqual(unknown, set(), name)


class StubtestTest(unittest.TestCase):
    def test_mypy_finds_no_difference(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as folder:
            allowed = pathlib.Path(folder) / "allowed.txt"
            allowed.write_text(STUBTEST_ALLOWS)
            config = pathlib.Path(folder) / "mypy.ini"
            config.write_text("[mypy]\nignore_missing_imports = True\n")
            result = subprocess.run(
                [sys.executable, "-m", "mypy.stubtest", "rondo", "--concise",
                 "--ignore-unused-allowlist", "--allowlist", allowed,
                 "--mypy-config-file", config],
                capture_output=True, text=True, check=False, cwd=folder)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


def own_text(thing):
    """A docstring without the signatures that pybind11 puts before it."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    name = getattr(thing, "__name__", "")
    return "".join(line for line in lines
                   if not re.match(rf"(\d+\. )?{re.escape(name)}\(.*\)( -> .*)?$", line)
                   and line != "Overloaded function.").strip()


class DocumentationTest(unittest.TestCase):
    def test_every_public_member_is_described(self):
        silent = []
        for name in rondo.__all__:
            thing = getattr(rondo, name)
            if not own_text(thing):
                silent.append(name)
            if isinstance(thing, type):
                silent += [f"{name}.{member}" for member, value in vars(thing).items()
                           if not (member.startswith("_") and member != "__getitem__")
                           and not isinstance(value, (type, thing))
                           and not own_text(value)]
        self.assertEqual(silent, [])

    def test_texts_are_found_behind_signatures(self):
        self.assertEqual(own_text(rondo.Model.clone), "An independent copy; weights are shared.")
        self.assertIn("Raises ModelError", own_text(rondo.Core.read_model))


if __name__ == "__main__":
    support.main()
