"""How notebooks show models: a table of the nodes, and the graph where Graphviz is installed."""

import html
import shutil
import subprocess

MOST_ROWS = 300
MOST_BOXES = 1000
COLOURS = {"Parameter": "#d9ead3", "Result": "#d9ead3", "LSTMSequence": "#fce5cd",
           "GRUSequence": "#fce5cd", "RNNSequence": "#fce5cd", "LSTMCell": "#fce5cd",
           "GRUCell": "#fce5cd", "RNNCell": "#fce5cd"}
CONSTANT = "Constant"


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
        if node.type_name == CONSTANT or is_prepared:
            once.add(node)
    return once


def _without_constants(nodes):
    return [node for node in nodes if node.type_name != CONSTANT]


def _count_in_bodies(node):
    """How many nodes the bodies of an op have, with those in their bodies, without constants."""
    inner = [one for body in node._bodies() for one in _without_constants(body.get_ops())]
    return len(inner) + sum(map(_count_in_bodies, inner))


def _counted(number):
    return f"{number} node{'' if number == 1 else 's'}"


def _label(node):
    inner = _count_in_bodies(node)
    lines = [node.type_name, node.name] + ([f"{_counted(inner)} in bodies"] if inner else [])
    return '"' + "\\n".join(_quoted(line)[1:-1] for line in lines) + '"'


def to_dot(model):
    """The graph in Graphviz's language, without constants and what is computed from them alone."""
    nodes = model.get_ordered_ops()
    return _dot(nodes, _computed_once(nodes))


def _dot(nodes, once):
    """The graph without the nodes that are computed once."""
    lines = ["digraph model {", 'node [shape=box, style="rounded,filled", fillcolor="#f3f3f3", '
             'fontname="sans-serif", fontsize=10];', 'edge [fontname="sans-serif", fontsize=8];']
    numbers = {node: number for number, node in enumerate(nodes)}
    for number, node in enumerate(nodes):
        if node in once:
            continue
        tooltip = "\n".join(f"{name}: {value}" for name, value in node.get_attributes().items())
        lines.append(f"n{number} [label={_label(node)}, tooltip={_quoted(tooltip or node.name)}, "
                     f'fillcolor="{COLOURS.get(node.type_name, "#f3f3f3")}"];')
        for source in dict.fromkeys(node.input_values()):
            if source.node not in once:
                lines.append(f"n{numbers[source.node]} -> n{number} "
                             f"[label={_quoted(_text(source))}];")
    return "\n".join([*lines, "}"])


def to_svg(model):
    """The graph as Graphviz draws it; None where it is not installed or the graph is too large."""
    program = shutil.which("dot")
    nodes = model.get_ordered_ops()
    once = _computed_once(nodes)
    if program is None or len(nodes) - len(once) > MOST_BOXES:
        return None
    drawn = subprocess.run([program, "-Tsvg"], input=_dot(nodes, once), capture_output=True, text=True,
                           check=False)
    if drawn.returncode != 0:
        return None
    return drawn.stdout[drawn.stdout.index("<svg"):]


def _row(cells, tag="td"):
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _ports(ports):
    return ", ".join(f"{port.any_name} {port.element_type}{port.partial_shape}" for port in ports)


def to_html(model):
    """Inputs, outputs, and a table of the nodes without constants; those of bodies are counted."""
    nodes = _without_constants(model.get_ordered_ops())
    rows = [_row(("op", "name", "outputs", "attributes"), "th")]
    for node in nodes[:MOST_ROWS]:
        facts = dict(node.get_attributes())
        if node._bodies():
            facts["bodies"] = _counted(_count_in_bodies(node))
        attributes = ", ".join(f"{name}={value}" for name, value in facts.items())
        rows.append(_row((node.type_name, node.name, ", ".join(map(_text, node.outputs())), attributes)))
    left_out = len(nodes) - MOST_ROWS
    more = f"<p>{left_out} more nodes are not shown.</p>" if left_out > 0 else ""
    inner = sum(map(_count_in_bodies, nodes))
    in_bodies = f", {inner} more in bodies" if inner else ""
    return (f"<b>{html.escape(model.friendly_name)}</b>"
            f"<p>inputs: {html.escape(_ports(model.inputs))}<br>"
            f"outputs: {html.escape(_ports(model.outputs))}</p>"
            f"<details open=''><summary>{_counted(len(nodes))}{in_bodies}</summary>"
            f"<table>{''.join(rows)}</table>{more}</details>")
