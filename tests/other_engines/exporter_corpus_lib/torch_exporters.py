"""PyTorch's two exporters, over the opsets that they write."""

import itertools
import shutil
import warnings

import torch

from exporter_corpus_lib import case, torch_models, torch_steps

SCRIPT_OPSETS = (11, 13, 14, 17, 20)
GRAPH_OPSETS = (18, 20, 23)


def arguments(feeds):
    import numpy

    rng = numpy.random.default_rng(7)
    return tuple(torch.from_numpy(feed.value(rng)) for feed in feeds)


def open_axes(spelling, path):
    """The names of the axes that the exporter has left open: the newer one fixes some of those
    that it is asked to open."""
    import onnx

    names = set()
    for value in onnx.load(path, load_external_data=False).graph.input:
        dims = value.type.tensor_type.shape.dim
        names |= {name for axis, name in spelling.axes.get(value.name, {}).items()
                  if not dims[axis].HasField("dim_value")}
    return names


def runs_of(spelling, is_open, path):
    shapes = [(2, spelling.time), (1, spelling.time + 4), (3, 1 + spelling.time % 2 * 3)]
    names = open_axes(spelling, path)
    is_open = is_open and "batch" in names
    fixed_time = not names & {"time", "width"}
    if not is_open:
        shapes = shapes[:1]
    return [spelling.feeds(batch, spelling.time if fixed_time else time) for batch, time in shapes]


def export_script(spelling, opset, is_open, path):
    feeds = spelling.feeds(2, spelling.time)
    module = spelling.module.eval()
    if spelling.scripted:
        module = torch.jit.script(module)
    torch.onnx.export(module, arguments(feeds), path, dynamo=False, opset_version=opset,
                      input_names=[feed.name for feed in feeds],
                      dynamic_axes=spelling.axes if is_open else None)


def export_graph(spelling, opset, is_open, path):
    feeds = spelling.feeds(2, spelling.time)
    shapes = None
    if is_open:
        dims = {}
        shapes = [{axis: dims.setdefault(name, torch.export.Dim(name, min=1, max=4096))
                   for axis, name in spelling.axes.get(feed.name, {}).items()} for feed in feeds]
        if isinstance(spelling.module, torch_models.LastOf) and len(shapes) > 1:
            shapes = (shapes[0], tuple(shapes[1:]))
    torch.onnx.export(spelling.module.eval(), arguments(feeds), path, dynamo=True, verbose=False,
                      opset_version=opset, input_names=[feed.name for feed in feeds],
                      dynamic_shapes=shapes, external_data=False)


def jobs(quick):
    """`(kind, export, spelling, opset, is_open)` of all that may be exported."""
    spellings = itertools.chain(torch_models.spellings(), torch_steps.step_spellings())
    for number, spelling in enumerate(spellings):
        for is_open in (True, False):
            opsets = SCRIPT_OPSETS if not quick else (SCRIPT_OPSETS[number % len(SCRIPT_OPSETS)],)
            for opset in opsets:
                yield "script", export_script, spelling, opset, is_open
            if spelling.scripted_only:
                continue
            opsets = GRAPH_OPSETS if not quick else (GRAPH_OPSETS[number % len(GRAPH_OPSETS)],)
            for opset in opsets:
                yield "graph", export_graph, spelling, opset, is_open


def write(folder, quick, note):
    """Writes a folder a model; calls note(name, reason), where reason is None
    unless the exporter refuses it."""
    for kind, export, spelling, opset, is_open in jobs(quick):
        name = f"torch_{kind}_{opset}_{spelling.name}" + ("" if is_open else "_static")
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                export(spelling, opset, is_open, str(place / "model.onnx"))
        except Exception as error:  # whatever the exporter raises
            note(name, str(error).strip().splitlines()[0] if str(error).strip() else repr(error))
            shutil.rmtree(place)
            continue
        case.save_case(place, f"PyTorch {kind}, {spelling.family}",
                       runs_of(spelling, is_open, str(place / "model.onnx")))
        note(name, None)
