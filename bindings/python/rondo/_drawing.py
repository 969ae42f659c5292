"""How notebooks show models: a table of the nodes, and the graph where Graphviz is installed."""

import html
import shutil
import subprocess

MOST_ROWS = 300
MOST_BOXES = 1000
COLOURS = {"Parameter": "#d9ead3", "Result": "#d9ead3", "LSTMSequence": "#fce5cd",
           "GRUSequence": "#fce5cd", "RNNSequence": "#fce5cd", "LSTMCell": "#fce5cd",
           "GRUCell": "#fce5cd", "RNNCell": "#fce5cd"}
CONSTANTS = ("Const", "Constant")


def _quoted(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'


def _text(port):
    return f"{port.element_type}{port.partial_shape}"


def _computed_once(nodes):
    """The nodes that are constants, and those on constants alone, which prepare weights."""
    once = set()
    for node in nodes:
        sources = [source.node for source in node.input_values()]
        is_prepared = sources and node.type_name != "Result" and once.issuperset(sources)
        if node.type_name in CONSTANTS or is_prepared:
            once.add(node)
    return once


def to_dot(model):
    """The graph in Graphviz's language, without constants and what is computed from them alone."""
    nodes = model.get_ordered_ops()
    once = _computed_once(nodes)
    lines = ["digraph model {", 'node [shape=box, style="rounded,filled", fillcolor="#f3f3f3", '
             'fontname="sans-serif", fontsize=10];', 'edge [fontname="sans-serif", fontsize=8];']
    numbers = {node: number for number, node in enumerate(nodes)}
    for number, node in enumerate(nodes):
        if node in once:
            continue
        tooltip = "\n".join(f"{name}: {value}" for name, value in node.get_attributes().items())
        label = _quoted(node.type_name)[:-1] + "\\n" + _quoted(node.name)[1:]
        lines.append(f"n{number} [label={label}, tooltip={_quoted(tooltip or node.name)}, "
                     f'fillcolor="{COLOURS.get(node.type_name, "#f3f3f3")}"];')
        for source in dict.fromkeys(node.input_values()):
            if source.node not in once:
                lines.append(f"n{numbers[source.node]} -> n{number} "
                             f"[label={_quoted(_text(source))}];")
    return "\n".join([*lines, "}"])


def to_svg(model):
    """The graph as Graphviz draws it; None where it is not installed or the graph is too large."""
    program = shutil.which("dot")
    if program is None or len(model.get_ops()) > MOST_BOXES:
        return None
    drawn = subprocess.run([program, "-Tsvg"], input=to_dot(model), capture_output=True, text=True,
                           check=False)
    if drawn.returncode != 0:
        return None
    return drawn.stdout[drawn.stdout.index("<svg"):]


def _row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _ports(ports):
    return ", ".join(f"{port.any_name} {port.element_type}{port.partial_shape}" for port in ports)


def to_html(model):
    """Inputs, outputs, and a table of the nodes without constants."""
    nodes = [node for node in model.get_ordered_ops() if node.type_name not in CONSTANTS]
    rows = [_row(("op", "name", "outputs", "attributes"), "th")]
    for node in nodes[:MOST_ROWS]:
        attributes = ", ".join(f"{name}={value}" for name, value in node.get_attributes().items())
        rows.append(_row((node.type_name, node.name, ", ".join(map(_text, node.outputs())), attributes)))
    left_out = len(nodes) - MOST_ROWS
    more = f"<p>{left_out} more nodes are not shown.</p>" if left_out > 0 else ""
    return (f"<b>{html.escape(model.friendly_name)}</b>"
            f"<p>inputs: {html.escape(_ports(model.inputs))}<br>"
            f"outputs: {html.escape(_ports(model.outputs))}</p>"
            f"<details open=''><summary>{len(nodes)} nodes</summary>"
            f"<table>{''.join(rows)}</table>{more}</details>")
