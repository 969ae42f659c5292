"""Every op is in the list of ops, and in that of evaluators if it has one."""

import re

OPS = "core/ops/op_list.cpp"
EVALUATORS = "core/ops/reference/evaluator_list.cpp"
# Rooms and ops whose values are computed elsewhere: by the graph's owner, bodies or variables.
WITHOUT_EVALUATOR = ("control", "state")
OPS_WITHOUT_EVALUATOR = ("Constant", "Parameter", "Result")
CLASS = re.compile(r"^class (\w+)[^;]*$")
TYPE = re.compile(r"^\s+static constexpr OpType kType\{")


def faults(tree):
    """(name, line, what) for each fault."""
    if not tree.has(OPS) or not tree.has(EVALUATORS):
        return
    ops, evaluators = ("\n".join(tree.lines(name)) for name in (OPS, EVALUATORS))
    for name, number, op in found_ops(tree):
        if not re.search(rf"\b{op}>\(\)", ops):
            yield name, number, f"the op {op} is not in {OPS}"
        room = name.split("/")[2]
        has_none = room in WITHOUT_EVALUATOR or op in OPS_WITHOUT_EVALUATOR
        if not has_none and not re.search(rf"\b{op}::kType\b", evaluators):
            yield name, number, f"the op {op} is not in {EVALUATORS}"


def found_ops(tree):
    """(header, line, class) of each op that has a type of its own."""
    for name in tree.sources(".hpp"):
        if not name.startswith("core/ops/"):
            continue
        op = None
        for number, line in enumerate(tree.lines(name), 1):
            if match := CLASS.match(line):
                op = match.group(1)
            if op and TYPE.match(line):
                yield name, number, op
