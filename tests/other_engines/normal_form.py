#!/usr/bin/env python3
"""Counts the nodes of real models: in the file, after Rondo's passes, on Rondo's and OpenVINO's CPU.

Usage: normal_form.py [--rondo DIR] [--markdown FILE] [--ops] [--only NAME] [--times N] FOLDER
FOLDER holds a folder for each model, with model.onnx in it. --rondo is the folder that holds the
package rondo, as build/release/python; it needs the command rondo beside it (bin/rondo) or in PATH.
--ops prints what each graph consists of. --markdown writes the table between the two lines
`<!-- normal form -->` of FILE, such as docs/measurements/README.md.
Without openvino its columns stay empty. Parameters, constants and results don't count, nor do the
bodies of If and Loop. Compiling, from the file to the compiled model, is timed on one thread, in
processor time, which other programs disturb least.
Exit code: 0 if no model has more nodes on Rondo's CPU than on OpenVINO's, else 1.
"""

import argparse
import collections
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from bench_peers_lib import marks

PORTS = ("Parameter", "Result", "Const", "Constant", "Input", "Output")
MARK = "<!-- normal form -->"


class Row:
    """One model: a counter of types, or None, for each graph; seconds of compiling."""

    def __init__(self, name):
        self.name = name
        self.file = self.portable = self.cpu = self.openvino = None
        self.seconds = self.openvino_seconds = None

    def is_behind(self):
        return self.openvino is not None and self.cpu.total() > self.openvino.total()


def counted(types):
    return collections.Counter(one for one in types if one not in PORTS)


def nodes_of_file(path):
    import onnx

    graph = onnx.load(path, load_external_data=False).graph
    return counted(node.op_type for node in graph.node)


def nodes_of_ir(command, path):
    """What `rondo compile` writes."""
    with tempfile.TemporaryDirectory() as folder:
        written = pathlib.Path(folder) / "model.xml"
        subprocess.run([command, "compile", str(path), "-o", str(written)], check=True,
                       stdout=subprocess.DEVNULL)
        layers = xml.etree.ElementTree.parse(written).getroot().find("layers")
        return counted(layer.get("type") for layer in layers)


def median_seconds(run, times):
    seconds = []
    for _ in range(times):
        start = time.process_time()
        result = run()
        seconds.append(time.process_time() - start)
    return result, statistics.median(seconds)


def fill_rondo(row, rondo, path, times):
    compiled, row.seconds = median_seconds(
        lambda: rondo.Core().compile_model(str(path), "CPU", {"INFERENCE_NUM_THREADS": 1}), times)
    row.cpu = counted(kernel.node_type for kernel in compiled.kernels
                      if not kernel.reason.startswith("part of '"))


def fill_openvino(row, openvino, path, times):
    config = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    try:
        compiled, row.openvino_seconds = median_seconds(
            lambda: openvino.Core().compile_model(str(path), "CPU", config), times)
    except RuntimeError:
        return  # it can't run the model
    row.openvino = counted(node.get_rt_info()["layerType"].astype(str)
                           for node in compiled.get_runtime_model().get_ops())


def measure(options):
    if options.rondo:
        sys.path.insert(0, str(options.rondo.resolve()))
    import rondo

    try:
        import openvino
    except ImportError:
        openvino = None
        print("without openvino", file=sys.stderr)
    beside = options.rondo.resolve().parent / "bin" / "rondo" if options.rondo else None
    command = str(beside) if beside and beside.exists() else "rondo"
    rows = []
    for path in sorted(options.folder.glob("*/model.onnx")):
        row = Row(path.parent.name)
        if options.only and options.only != row.name:
            continue
        row.file = nodes_of_file(path)
        row.portable = nodes_of_ir(command, path)
        fill_rondo(row, rondo, path, options.times)
        if openvino:
            fill_openvino(row, openvino, path, options.times)
        rows.append(row)
        print(" ".join(cells(row)), flush=True)
        if options.ops:
            print_ops(row)
    return rows


def print_ops(row):
    for title, types in (("portable", row.portable), ("cpu", row.cpu), ("openvino", row.openvino)):
        if types is not None:
            print(f"  {title}: " + ", ".join(f"{name} {n}" for name, n in types.most_common()))


def cells(row):
    def milliseconds(seconds):
        return "-" if seconds is None else f"{seconds * 1e3:.1f}"

    counts = [row.file, row.portable, row.cpu, row.openvino]
    return [row.name, *("-" if count is None else str(count.total()) for count in counts),
            milliseconds(row.seconds), milliseconds(row.openvino_seconds)]


def table(rows):
    lines = ["| model | file | portable IR | Rondo's CPU | OpenVINO's CPU | Rondo compiles, ms "
             "| OpenVINO compiles, ms |", "|---|---:|---:|---:|---:|---:|---:|"]
    return lines + ["| " + " | ".join(cells(row)) + " |" for row in rows]


def write_table(path, lines):
    text = "\n".join(lines)
    marks.put_between(path, (MARK, MARK), f"\n{text}\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rondo", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--ops", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    rows = measure(options)
    if options.markdown:
        write_table(options.markdown, table(rows))
    behind = [row.name for row in rows if row.is_behind()]
    print("more nodes than OpenVINO: " + (", ".join(behind) or "none"))
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
