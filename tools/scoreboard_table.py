"""The scoreboard of ONNX's node tests as a table in docs/measurements/README.md."""

import collections
import pathlib
import re

BEGIN = "<!-- node tests: begin -->"
END = "<!-- node tests: end -->"
DOMAINS = {"": "ONNX's own operators", "strings": "operators of strings",
           "training": "training", "others": "other domains"}
STRING_OPERATORS = re.compile(r"String|Regex|TfIdf|ImageDecoder")


def kind_of(case):
    """A key of DOMAINS."""
    import onnx

    domains = {imported.domain for imported in case.model.opset_import} - {"", "ai.onnx"}
    if "ai.onnx.preview.training" in domains or "training" in case.name:
        return "training"
    if domains - {function.domain for function in case.model.functions}:
        return "others"
    graph = case.model.graph
    types = {value.type.tensor_type.elem_type for value in (*graph.input, *graph.output)}
    if onnx.TensorProto.STRING in types or any(STRING_OPERATORS.search(node.op_type)
                                               for node in graph.node):
        return "strings"
    return ""


def node_cases():
    """Test name, as the scoreboard has it -> case."""
    import onnx.backend.test.case.node as node

    return {case.name + "_cpu": case for case in node.collect_testcases(None)}


def why(reason):
    """The reason without what differs from model to model."""
    text = re.sub(r"^UnsupportedError: (the model: )?", "", reason)
    text = re.sub(r"node (?:of )?'[^']*' \((\w+)[^)]*\)", r"\1", text)
    text = re.sub(r"^\d+ unsupported \w+: ([^;]*).*", r"\1", text)  # the first of several
    text = re.sub(r"\b(input|output) '[^']*'", r"an \1", text)
    return re.sub(r"\s+", " ", text).strip()


def counts_table(outcomes, cases):
    counts = collections.defaultdict(collections.Counter)
    for name, case in cases.items():
        if name in outcomes:
            counts[kind_of(case)][outcomes[name][0]] += 1
    lines = ["| tests of | passed | refused | failed | wrong or random data | share passed |",
             "|---|---|---|---|---|---|"]
    for kind, title in DOMAINS.items():
        board = counts[kind]
        total = sum(board.values())
        if total:
            lines.append(f"| {title} | {board['passed']} | {board['unsupported']} | "
                         f"{board['failed']} | {board['broken']} | {100 * board['passed'] / total:.1f} % |")
    return lines


def reasons_table(outcomes, cases):
    tests = collections.Counter()
    for name, case in cases.items():
        outcome, reason = outcomes.get(name, ("", ""))
        if outcome == "unsupported" and not kind_of(case):
            tests[why(reason)] += 1
    lines = ["| refused | tests |", "|---|---|"]
    return lines + [f"| {text} | {count} |" for text, count in sorted(tests.items())]


def write(path, outcomes, onnx_version):
    """Replaces the text between the marks."""
    cases = node_cases()
    lines = [BEGIN, f"Node tests of onnx {onnx_version}:", "", *counts_table(outcomes, cases), "",
             "Of ONNX's own operators:", "", *reasons_table(outcomes, cases), END]
    page = pathlib.Path(path).read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{path}: no '{BEGIN}' ... '{END}'")
    pathlib.Path(path).write_text(before + "\n".join(lines) + after, encoding="utf-8")
