"""The conan recipe of the tree that it lies in: `conan create packaging/conan --build=missing`."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

TREE = os.path.join("..", "..")


class Rondo(ConanFile):
    name = "rondo"
    description = "Compiler and runtime for recurrent networks on CPUs"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "tools": [True, False],  # the rondo command
        "onnx_proto_dir": [None, "ANY"],  # the folder of onnx/onnx.proto; None: IR alone
    }
    default_options = {"shared": False, "fPIC": True, "tools": True, "onnx_proto_dir": None}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, TREE, "CMakeLists.txt"))
        self.version = re.search(r"project\(rondo VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, TREE)
        copy(self, "*", tree, self.export_sources_folder,
             excludes=("build*", "out", ".git*", "tests*", "*__pycache__*"))

    def validate(self):
        if str(self.settings.os) != "Linux" or str(self.settings.arch) != "x86_64":
            raise ConanInvalidConfiguration("Rondo builds on Linux on x86-64")

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("pugixml/1.14")
        self.requires("onetbb/2021.12.0")
        self.requires("xbyak/6.73")
        if self.options.onnx_proto_dir:
            self.requires("protobuf/3.21.12")
        if self.options.tools:
            self.requires("cli11/2.4.2")
            self.requires("nlohmann_json/3.11.3")

    def build_requirements(self):
        if self.options.onnx_proto_dir:
            self.tool_requires("protobuf/<host_version>")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        variables = toolchain.cache_variables
        variables["RONDO_TESTS"] = False
        variables["RONDO_INSTALL"] = True
        variables["RONDO_TOOLS"] = bool(self.options.tools)
        variables["RONDO_ONNX"] = bool(self.options.onnx_proto_dir)
        if self.options.onnx_proto_dir:
            variables["RONDO_ONNX_PROTO_DIR"] = str(self.options.onnx_proto_dir)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package's own CMake files find its parts, and know which of them are there.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "rondo")]
        self.cpp_info.libs = ["rondo"]
        self.cpp_info.system_libs = ["pthread", "dl", "m"]
