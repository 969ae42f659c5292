#!/usr/bin/env python3
"""Writes the files of a new op with a class of its own, and its lines in the lists.

Usage: tools/new_op.py NAME ROOM [--opset N], such as `tools/new_op.py Reverse movement --opset 1`.
NAME is the op's type in the IR, ROOM its folder in core/ops; opset 0 is Rondo's own. The op copies its
input, and its test passes: change both. docs/how_to_add_an_op.md says what comes then.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

HEADER = """// Copies a tensor: say here what the op does.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {{

/// Input: data. Output: the same type and shape. Say here what each means, and name the source of
/// the formula.
class {name} final : public Op<{name}> {{
public:
    static constexpr OpType kType{{"{name}", {opset}}};

    {name}() = default;
    explicit {name}(const Output& data) : Op({{data}}) {{}}

    OpTraits traits() const override {{ return {{}}; }}
    void infer(InferContext& context) const override;
}};

}}  // namespace rondo::ops
"""
INFERENCE = """#include "{header}"

#include "core/graph/infer_context.hpp"

namespace rondo::ops {{

void {name}::infer(InferContext& context) const {{
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}}

}}  // namespace rondo::ops
"""
EVALUATOR = """// Evaluates {name}.
#include "{header}"

#include <cstring>

#include "core/ops/reference/common/evaluators.hpp"

namespace rondo::reference {{

void {file}(const Node&, std::span<const Tensor> inputs, std::span<Tensor> outputs) {{
    std::memcpy(outputs[0].data(), inputs[0].data(), outputs[0].byte_size());
}}

}}  // namespace rondo::reference
"""
TEST = """#include "{header}"

#include <gtest/gtest.h>

#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo {{
namespace {{

using namespace test;  // NOLINT: tests only

std::string shape_of_output(std::string_view data) {{
    ops::{name} node(parameter(data));
    node.validate();
    return inferred(node);
}}

TEST({name}, KeepsTypeAndShape) {{
    EXPECT_EQ(shape_of_output("2,?,4..6"), "f32[2,?,4..6]");
    EXPECT_EQ(shape_of_output("..."), "f32[...]");
    EXPECT_EQ(ops::find_op("{name}", "{version}")->type, &ops::{name}::kType);
}}

TEST({name}, RefusesWrongInputs) {{
    const auto lonely = unchecked<ops::{name}>({{}});
    expect_error<ModelError>([&] {{ lonely->validate(); }}, "got 0 inputs; expected 1");
}}

TEST({name}, CopiesTheElements) {{
    const auto data = tensor_of<float>({{2, 2}}, {{1, 2, 3, 4}});
    expect_same(evaluate_one(ops::{name}(), {{data}}), data);
}}

}}  // namespace
}}  // namespace rondo
"""


def snake(name):
    """LSTMSequence -> lstm_sequence."""
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text).lower()


def insert_sorted(lines, start, end, line):
    """Puts a line before the first one between start and end that is larger."""
    at = next((i for i in range(start, end) if lines[i].strip() > line.strip()), end)
    lines.insert(at, line)


def insert_after_marker(path, line, begins):
    """Into the keep-sorted list whose entries begin so."""
    lines = path.read_text(encoding="utf-8").splitlines()
    places = [i for i, text in enumerate(lines) if text.strip() == "// keep-sorted"]
    for place in places:
        first = next((i for i in range(place + 1, min(place + 3, len(lines)))
                      if lines[i].strip().startswith(begins)), None)
        if first is None:
            continue
        end = next(i for i in range(first, len(lines)) if not lines[i].strip().startswith(begins))
        insert_sorted(lines, first, end, line)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    raise SystemExit(f"new_op: {path} has no keep-sorted list of '{begins}'")


def insert_source(path, source):
    """Into the list of sources of a CMakeLists.txt."""
    lines = path.read_text(encoding="utf-8").splitlines()
    folder = source.rpartition("/")[0]
    like = [i for i, text in enumerate(lines) if text.strip(" )").rpartition("/")[0] == folder]
    if not like:
        raise SystemExit(f"new_op: {path} has no file of {folder}/")
    insert_sorted(lines, like[0], like[-1] + 1, f"    {source}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def rooms_of(root):
    """The folders of ops, which have one each for their evaluators."""
    return sorted(path.name for path in (root / "core/ops/reference").iterdir()
                  if path.is_dir() and path.name not in ("common", "control"))


def write_files(root, facts):
    room, file = facts["room"], facts["file"]
    files = {f"core/ops/{room}/{file}.hpp": HEADER,
             f"core/ops/{room}/{file}.cpp": INFERENCE,
             f"core/ops/reference/{room}/{file}.cpp": EVALUATOR,
             f"tests/unit/core/ops/{room}/{file}_test.cpp": TEST}
    for name in files:
        if (root / name).exists():
            raise SystemExit(f"new_op: {name} is there already")
    for name, text in files.items():
        (root / name).write_text(text.format(**facts), encoding="utf-8")
        print(name)


def add_lines(root, facts):
    name, room, file = facts["name"], facts["room"], facts["file"]
    include = f'#include "{facts["header"]}"'
    for path, line, begins in (
            ("core/ops/op_list.cpp", include, "#include"),
            ("core/ops/op_list.cpp", f"template class Clonable<ops::{name}>;", "template class"),
            ("core/ops/op_list.cpp", f"    entry<{name}>(),", "entry<"),
            ("core/ops/reference/evaluator_list.cpp", include, "#include"),
            ("core/ops/reference/evaluator_list.cpp",
             f"    EvaluatorEntry{{&ops::{name}::kType, {file}}},", "EvaluatorEntry{"),
            ("core/ops/reference/common/evaluators.hpp", f"Evaluation {file};", "Evaluation ")):
        insert_after_marker(root / path, line, begins)
        print(f"{path}: {line.strip()}")
    for path, source in (("core/ops/CMakeLists.txt", f"{room}/{file}.cpp"),
                         ("core/ops/reference/CMakeLists.txt", f"{room}/{file}.cpp"),
                         ("tests/unit/core/CMakeLists.txt", f"ops/{room}/{file}_test.cpp")):
        insert_source(root / path, source)
        print(f"{path}: {source}")


def main(arguments, root=ROOT):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", help="the op's type in the IR, such as Reverse")
    parser.add_argument("room", help="its folder in core/ops, such as movement")
    parser.add_argument("--opset", type=int, default=1, help="the first that has it; 0: Rondo's own")
    options = parser.parse_args(arguments)
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", options.name):
        raise SystemExit(f"new_op: '{options.name}' is not a type such as Reverse")
    rooms = rooms_of(root)
    if options.room not in rooms:
        raise SystemExit(f"new_op: no room '{options.room}'; there are: {', '.join(rooms)}")
    file = snake(options.name)
    facts = {"name": options.name, "room": options.room, "file": file, "opset": options.opset,
             "version": f"opset{options.opset}" if options.opset else "rondo1",
             "header": f"core/ops/{options.room}/{file}.hpp"}
    write_files(root, facts)
    add_lines(root, facts)


if __name__ == "__main__":
    main(sys.argv[1:])
