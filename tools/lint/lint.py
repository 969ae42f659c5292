#!/usr/bin/env python3
"""Checks the house rules that a compiler doesn't: includes, file lists, sizes, tests, words.

Usage: lint.py [ROOT]. Prints a line a fault, `file:line: what`; exit code 1 if there is any.
docs/testing.md lists the rules; a file that must break one says so with `lint: allow(RULE)`.
"""

import pathlib
import re
import sys

import functions
import links
import members
import mirror
import op_lists
import rooms
import sizes
import tree
import words

# folder -> folders whose headers it may include, besides its own and core/include/rondo.
# The longest matching folder counts. Each entry allows everything below it.
CORE_BELOW = {
    "core/support": [],
    "core/graph": ["core/support"],
    "core/ops": ["core/support", "core/graph"],
    "core/ops/reference": ["core/support", "core/graph", "core/ops"],
    "core/extents": ["core/support", "core/graph", "core/ops", "core/ops/reference"],
    "core/ir": ["core/support", "core/graph", "core/ops"],
    "core/runtime": ["core/support", "core/graph", "core/ops", "core/ir"],
    "core/streams": ["core/support", "core/graph", "core/ops", "core/runtime"],
}
# Kernels know no graph types, but the functions of the families: their numbers and formulas.
KERNEL_USES = ["core/support", "core/ops/common/families.hpp",
               "core/ops/elementwise/formulas.hpp", "core/ops/elementwise/functions.hpp",
               "core/ops/indexing/functions.hpp",
               "core/ops/movement/pad_range.hpp", "core/ops/recurrent/functions.hpp",
               "core/ops/reduction/formulas.hpp", "core/ops/reduction/functions.hpp",
               "core/ops/source/range_numbers.hpp", "core/ops/window/axis_taps.hpp",
               "core/ops/window/grid_taps.hpp", "core/ops/window/moved_tap.hpp",
               "core/ops/window/roi_bins.hpp"]
ALLOWED = {
    **CORE_BELOW,
    "frontend": ["core"],
    "transformations": ["core"],
    "plugins/builtin_plugins.cpp": ["core", "plugins/cpu/plugin", "plugins/reference"],
    "plugins/reference": ["core", "transformations"],
    "plugins/cpu/kernels": KERNEL_USES,
    "plugins/cpu/jit": KERNEL_USES + ["plugins/cpu/kernels"],
    "plugins/cpu/nodes": ["core", "transformations", "plugins/cpu/kernels", "plugins/cpu/ops"],
    "plugins/cpu/ops": ["core", "plugins/cpu/kernels"],
    "plugins/cpu/passes": ["core", "transformations", "plugins/cpu/kernels", "plugins/cpu/ops"],
    "plugins/cpu/plugin": ["core", "transformations", "plugins/cpu/nodes", "plugins/cpu/ops",
                           "plugins/cpu/passes", "plugins/cpu/kernels"],
    "bindings/c": [],
    "bindings/ladspa": ["bindings/ladspa/denoise"],
    "bindings/ladspa/denoise": [],
    "bindings/onnxruntime": [],
    "bindings/openvino": [],
    "bindings/python": [],
    "bindings/triton": [],
    "tools/rondo": [],
    "docs": [],
    "docs/samples/denoise": ["bindings/ladspa/denoise"],
}

# third-party header -> the folders that may include it (tests may include all).
THIRD_PARTY = {
    r"pugixml\.hpp": ["core/ir"],
    r"(oneapi/)?tbb/.*": ["plugins/cpu/plugin"],
    r"xbyak/.*": ["plugins/cpu/jit"],
    r"google/protobuf/.*|.*\.pb\.h": ["frontend/onnx"],
    r"CLI/.*": ["tools"],
    r"nlohmann/.*": ["bindings/triton", "tools"],
    r"pybind11/.*": ["bindings/python"],
}

INSTALLED = ("core/include/", "bindings/c/include/", "bindings/openvino/include/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
MACHINE_PATH = re.compile(r"(^|[^A-Za-z])/(home|root|work|farm)/")


class Linter:
    def __init__(self, root):
        self.root = root
        self.tree = tree.Tree(root)
        self.faults = []

    def fault(self, path, line, text):
        self.faults.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def sources(self, *endings):
        for name in self.tree.sources(*endings):
            if "/" in name:
                yield self.root / name

    def run(self):
        for path in self.sources(".c", ".cpp", ".hpp", ".h"):
            lines = path.read_text(encoding="utf-8").splitlines()
            self.check_includes(path, lines)
            self.check_header(path, lines)
            self.check_sorted(path, lines)
        self.check_file_lists()
        self.check_paths()
        for rules in (sizes, functions, members, words, links, rooms, mirror, op_lists):
            self.faults += [f"{name}:{line}: {text}" for name, line, text in rules.faults(self.tree)]
        return self.faults

    def check_header(self, path, lines):
        if path.suffix in (".c", ".cpp"):
            return
        if "#pragma once" not in lines:
            self.fault(path, 1, "a header needs #pragma once")
        if not lines or not lines[0].startswith("//"):
            self.fault(path, 1, "a header opens with a sentence on what it holds")

    def rule_of(self, name):
        fits = [key for key in ALLOWED if name == key or name.startswith(key + "/")]
        return max(fits, key=len) if fits else None

    def check_includes(self, path, lines):
        name = path.relative_to(self.root).as_posix()
        if name.startswith("tests/"):
            return
        installed = name.startswith(INSTALLED)
        rule = self.rule_of(name)
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                self.check_include(path, number, name, rule, installed, match.group(2))

    def check_include(self, path, number, name, rule, installed, header):
        for pattern, folders in THIRD_PARTY.items():
            if re.fullmatch(pattern, header):
                if installed or not any(name.startswith(folder + "/") for folder in folders):
                    self.fault(path, number, f"<{header}> belongs to {', '.join(folders)} alone")
                return
        ours = header.split("/")[0] in ("core", "frontend", "transformations", "plugins", "bindings",
                                        "tests")
        if not ours:
            return
        if installed:
            self.fault(path, number, f'an installed header may not include "{header}"')
        elif rule is None:
            self.fault(path, number, f"no rule says what {name} may include")
        elif not self.may_include(rule, header):
            self.fault(path, number, f'{rule} may not include "{header}"')

    def may_include(self, rule, header):
        # core/ops may not see core/ops/reference: a folder with a rule of its own is another room.
        room = self.rule_of(header)
        return room == rule or any(
            folder in (room, header) or (folder not in ALLOWED and header.startswith(folder + "/"))
            for folder in ALLOWED[rule])

    def check_sorted(self, path, lines):
        for number, line in enumerate(lines):
            if line.strip() != "// keep-sorted":
                continue
            block = []
            for entry in lines[number + 1:]:
                if not entry.strip() or entry.strip() in ("};", "});"):
                    break
                if entry.startswith(("#include", "    ")) or not entry.startswith(" "):
                    block.append(entry)
            if block and block[0].endswith(("= {", "{")) and not block[0].startswith(" "):
                block = block[1:]
            # In ASCII order; deeper lines continue the entry above them.
            keys = [entry.strip() for entry in block if not entry.startswith("     ")]
            if keys != sorted(keys):
                at = next(i for i in range(1, len(keys)) if keys[i] < keys[i - 1])
                self.fault(path, number + 1, f"keep-sorted list: '{keys[at]}' is out of order")

    def check_file_lists(self):
        for path in self.sources(".cpp"):
            folder = path.parent
            while folder != self.root and not (folder / "CMakeLists.txt").exists():
                folder = folder.parent
            listed = (folder / "CMakeLists.txt").read_text(encoding="utf-8")
            entry = path.relative_to(folder).as_posix()
            if not re.search(rf"(?<![\w/.]){re.escape(entry)}(?![\w.])", listed):
                self.fault(path, 1, f"is not listed in {folder.relative_to(self.root)}/CMakeLists.txt")

    def check_paths(self):
        for path in self.sources(".c", ".cpp", ".hpp", ".h", ".py", ".sh", ".md", ".txt"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if MACHINE_PATH.search(line) and "MACHINE_PATH" not in line:
                    self.fault(path, number, "names a path of one machine")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    faults = Linter(root).run()
    for fault in faults:
        print(fault)
    print(f"{len(faults)} fault" + ("" if len(faults) == 1 else "s"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
