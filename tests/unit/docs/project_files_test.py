#!/usr/bin/env python3
"""Checks the files by which others use and package the project: recipes, notices, workflows."""

import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
VERSION = re.search(r"project\(rondo VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
# What find_package() is asked for -> the name in NOTICE; None: not part of what is shipped.
SHIPPED = {"CLI11": "CLI11", "Doxygen": None, "GTest": None, "Git": None, "PkgConfig": None,
           "Protobuf": "Protocol Buffers", "Python3": None, "TBB": "oneTBB", "Threads": None,
           "benchmark": None, "nlohmann_json": "JSON for Modern C++", "pugixml": "pugixml",
           "pybind11": "pybind11", "rondo": None, "xbyak": "xbyak"}
# A project that asks for everything.
PROBE = """cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES C)
foreach(part JIT ONNX TOOLS PYTHON)
    set(RONDO_${{part}} ON)
endforeach()
include({root}/cmake/RondoPackages.cmake)
"""


def text_of(name):
    return (ROOT / name).read_text()


def cmake_files():
    for top in ("cmake", "core", "frontend", "transformations", "plugins", "bindings", "tools",
                "tests"):
        for pattern in ("CMakeLists.txt", "*.cmake"):
            yield from (ROOT / top).rglob(pattern)


class NoticeTest(unittest.TestCase):
    def test_every_package_is_named(self):
        used = set()
        for path in cmake_files():
            used |= set(re.findall(r"(?:find_package|rondo_need)\((\w+)", path.read_text()))
        notice = text_of("NOTICE")
        for package in used:
            self.assertIn(package, SHIPPED)
            name = SHIPPED[package]
            if name is not None:
                self.assertIn(f"\n{name} (https://", notice)
                self.assertRegex(notice, rf"\n  {re.escape(name)} +[A-Z]")

    def test_licences_are_whole(self):
        notice = text_of("NOTICE")
        sections = notice.split("-" * 80 + "\n")[1:]
        self.assertEqual(len(sections), notice.count(" (https://"))
        for section in sections:
            self.assertIn("Copyright", section)
            self.assertRegex(section, "AS IS|Apache License, Version 2.0")


class RecipesTest(unittest.TestCase):
    def test_versions(self):
        self.assertEqual(json.loads(text_of("packaging/vcpkg/rondo/vcpkg.json"))["version"], VERSION)
        self.assertIn(f"rondo_{VERSION}_", text_of("docs/embedding_cpp.md"))

    def test_options_are_the_build_files_options(self):
        known = set(re.findall(r"option\((RONDO_\w+)", text_of("CMakeLists.txt")))
        known |= {"RONDO_ONNX_PROTO_DIR", "RONDO_COMMIT"}
        for name in ("packaging/vcpkg/rondo/portfile.cmake", "packaging/conan/conanfile.py",
                     "Dockerfile", "pyproject.toml", "packaging/README.md"):
            used = set(re.findall(r"RONDO_\w+", text_of(name)))
            self.assertLessEqual(used, known, name)

    def test_conan_recipe_is_python(self):
        tree = ast.parse(text_of("packaging/conan/conanfile.py"))
        (recipe,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
        methods = {node.name for node in recipe.body if isinstance(node, ast.FunctionDef)}
        self.assertLessEqual({"requirements", "build", "package", "package_info"}, methods)

    def test_the_image_copies_what_is_there(self):
        for line in text_of("Dockerfile").splitlines():
            if line.startswith("COPY tools/"):
                self.assertTrue((ROOT / line.split()[1]).exists(), line)
        self.assertIn('install_missing "${build_packages[@]}"', text_of("Dockerfile"))


class PackageListsTest(unittest.TestCase):
    def test_what_a_wheel_is_built_from(self):
        packages = text_of("tools/packages.sh")
        build = set(re.search(r"build_packages=\((.*?)\)", packages, re.DOTALL)[1].split())
        needed = set(re.findall(r"[a-z0-9-]+-dev|protobuf-compiler",
                                text_of("cmake/RondoPackages.cmake")))
        others = {"libgtest-dev", "libgmock-dev", "pybind11-dev", "python3-dev", "libbenchmark-dev"}
        self.assertEqual(needed - others, build - {"build-essential", "cmake", "ninja-build",
                                                   "pkg-config"})
        (line,) = re.findall(r"^apt-get install (g\+\+ .*)$", text_of("docs/embedding_python.md"),
                             re.MULTILINE)
        self.assertEqual(set(line.split()), (needed - others) | {"g++"})
        (line,) = re.findall(r"^apt-get install (build-.*?[^\\])$", text_of("README.md"),
                             re.MULTILINE | re.DOTALL)
        self.assertEqual(set(line.replace("\\", " ").split()), build)
        (line,) = re.findall(r"apt-get install (g\+\+ .*?)\n\[", text_of("pyproject.toml"),
                             re.DOTALL)
        self.assertEqual(set(re.sub(r"[\\#\n]", " ", line).split()), (needed - others) | {"g++"})

    @unittest.skipIf(shutil.which("cmake") is None, "cmake is not on the PATH")
    def test_all_missing_packages_are_named_at_once(self):
        packages = ("pugixml", "TBB", "xbyak", "Protobuf", "CLI11", "nlohmann_json")
        options = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in packages]
        options += ["-DCMAKE_FIND_ROOT_PATH=/nonexistent", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY"]
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CMakeLists.txt").write_text(PROBE.format(root=ROOT))
            result = subprocess.run(["cmake", "-S", folder, "-B", folder + "/build", *options],
                                    capture_output=True, text=True, check=False)
        self.assertNotEqual(result.returncode, 0)
        for package in ("libpugixml-dev", "libtbb-dev", "libxbyak-dev", "libprotobuf-dev",
                        "libonnx-dev", "libcli11-dev", "nlohmann-json3-dev", "pybind11-dev"):
            self.assertIn(package, result.stderr)


@unittest.skipIf(shutil.which("cmake") is None, "cmake is not on the PATH")
class PlatformTest(unittest.TestCase):
    def configure(self, processor, byte_order="LITTLE_ENDIAN", pointer=8, *options):
        """The message of an error, its lines joined, or nothing."""
        result = subprocess.run(
            ["cmake", f"-DCMAKE_SYSTEM_PROCESSOR={processor}", f"-DCMAKE_SIZEOF_VOID_P={pointer}",
             f"-DCMAKE_CXX_BYTE_ORDER={byte_order}", *options,
             "-P", str(ROOT / "cmake/RondoPlatform.cmake")],
            capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode != 0, result.stderr != "")
        return re.sub(r"\s+", " ", result.stderr)

    def test_those_of_the_table_are_taken(self):
        for processor in ("x86_64", "amd64", "aarch64", "arm64"):
            self.assertEqual(self.configure(processor), "")

    def test_others_are_refused_with_the_reason(self):
        self.assertIn("can't be built for 's390x', which is big-endian",
                      self.configure("s390x", "BIG_ENDIAN"))
        self.assertIn("'aarch64', which is big-endian", self.configure("aarch64", "BIG_ENDIAN"))
        self.assertIn("for 32-bit programs", self.configure("x86_64", pointer=4))
        self.assertIn("can't be built for 'riscv64'", self.configure("riscv64"))

    def test_code_is_generated_for_x86_64_alone(self):
        self.assertIn("this is 'aarch64'",
                      self.configure("aarch64", "LITTLE_ENDIAN", 8, "-DRONDO_JIT=ON"))
        self.assertEqual(self.configure("x86_64", "LITTLE_ENDIAN", 8, "-DRONDO_JIT=OFF"), "")


class WorkflowsTest(unittest.TestCase):
    def test_they_call_what_is_there(self):
        called = set()
        for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
            for command in re.findall(r"- run: (\S+)", path.read_text()):
                if "/" in command:
                    called.add(command)
                    self.assertTrue(os.access(ROOT / command, os.X_OK), command)
        self.assertLessEqual({".ci/run", "tools/quickstart.sh", "tools/test.sh",
                              "tools/test_aarch64.sh", "tools/wheel.sh"}, called)

    def test_yaml_is_well_formed(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("this Python has no yaml")
        for path in sorted((ROOT / ".github").rglob("*.yml")):
            self.assertIsInstance(yaml.safe_load(path.read_text()), dict, path)

    def test_templates_ask_for_the_version(self):
        for name in ("bug.yml", "model.yml"):
            self.assertIn("rondo --version", text_of(f".github/ISSUE_TEMPLATE/{name}"))


if __name__ == "__main__":
    unittest.main()
