#!/usr/bin/env python3
"""What a compiled model takes of memory: after compiling, and at the peak before that, as multiples
of its weights. Each figure is measured in a process of its own, above what an empty model takes.

Usage: memory.py --rondo DIR [--sizes MB,...] [--peers] [--markdown FILE]
DIR has the Python module of Rondo. The models are stacks of LSTM layers with f32 weights, read from
ONNX, from ONNX whose weights lie in a file beside it, from IR, and from the cache of an earlier
process. --peers adds onnxruntime (ONNX) and OpenVINO (ONNX). --markdown puts the table between the
marks of FILE, which docs/measurements/README.md has.

"after" counts all that is resident in the process, also pages of the model's files, which the
system takes back when it needs them; "own" are the pages that it can't take back.
Exit code: 0 ok, 1 for a mistake in arguments.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from bench_peers_lib import marks, onnx_writer

MARKS = ("<!-- memory: results -->\n", "<!-- memory: end -->\n")
MIB = 2**20
LAYERS = {1: (128, 2), 16: (512, 2), 64: (1024, 2), 512: (1024, 16)}  # MB: (H, layers)
RONDO_WAYS = ("onnx", "external", "ir", "cache")
PEERS = ("onnxruntime", "openvino")
TITLES = {"onnx": "ONNX", "external": "ONNX, external data", "ir": "IR", "cache": "cache of ONNX"}


def stack_of(hidden, layers):
    """A stack of LSTM layers over X [1,1,H]: nodes, and the weights of each."""
    random = np.random.default_rng(1)
    nodes, constants, x = [], {}, "X"
    for layer in range(layers):
        names = [f"{kind}{layer}" for kind in "WRB"]
        bound = hidden ** -0.5
        for name, shape in zip(names, ((1, 4 * hidden, hidden), (1, 4 * hidden, hidden),
                                       (1, 8 * hidden))):
            constants[name] = random.uniform(-bound, bound, shape).astype(np.float32)
        y = f"y{layer}"
        nodes.append(onnx_writer.node("LSTM", [x, *names], [y], hidden_size=hidden))
        x = "Y" if layer + 1 == layers else f"x{layer + 1}"
        nodes.append(onnx_writer.node("Squeeze", [y, "axis"], [x]))
    constants["axis"] = np.array([1], np.int64)
    return nodes, constants


def write_models(folder, megabytes):
    """Writes NAME.onnx and external.onnx with external.bin."""
    hidden, layers = LAYERS[megabytes]
    nodes, constants = stack_of(hidden, layers)
    ends = [("X", np.float32, (1, 1, hidden))], [("Y", np.float32, (1, 1, hidden))]
    (folder / "model.onnx").write_bytes(onnx_writer.model(nodes, constants, *ends))
    beside = onnx_writer.Beside("external.bin")
    (folder / "external.onnx").write_bytes(onnx_writer.model(nodes, constants, *ends, beside))
    (folder / "external.bin").write_bytes(beside.content)
    return sum(array.nbytes for array in constants.values())


def status():
    """Resident memory of this process now and at its peak, and what no file holds, in bytes."""
    fields = {}
    for line in pathlib.Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        name, value = line.split(":", 1)
        if name in ("VmRSS", "VmHWM", "RssAnon"):
            fields[name] = int(value.split()[0]) * 1024
    return fields


def compiler(peer):
    """A function of that peer: path, cache folder or None -> a compiled model."""
    if peer == "rondo":
        import rondo
        core = rondo.Core()
        return lambda path, cache: core.compile_model(
            path, "CPU", {"CACHE_DIR": cache} if cache else {})
    if peer == "onnxruntime":
        import onnxruntime
        return lambda path, cache: onnxruntime.InferenceSession(
            path, providers=["CPUExecutionProvider"])
    import openvino
    core = openvino.Core()
    return lambda path, cache: core.compile_model(path, "CPU")


def measure(peer, path, warm, cache):
    """Prints the bytes that compiling `path` took; `warm` is a tiny model, compiled before it."""
    compile_model = compiler(peer)
    small = compile_model(warm, None)
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak starts again
    before = status()
    large = compile_model(path, cache)
    after = status()
    del small, large
    print(json.dumps({"after": after["VmRSS"] - before["VmRSS"],
                      "own": max(0, after["RssAnon"] - before["RssAnon"]),
                      "peak": after["VmHWM"] - before["VmRSS"]}))


def run_measure(module, peer, path, warm, cache=None):
    command = [sys.executable, __file__, "--measure", peer, str(path), str(warm)]
    environment = os.environ | {"PYTHONPATH": str(module)}
    output = subprocess.run(command + ([str(cache)] if cache else []), env=environment, check=True,
                            stdout=subprocess.PIPE)
    return json.loads(output.stdout)


def convert(module, path, to):
    program = ("import rondo, sys; rondo.save_model(rondo.Core().compile_model(sys.argv[1], "
               "'CPU').get_runtime_model(), sys.argv[2])")
    subprocess.run([sys.executable, "-c", program, str(path), str(to)], check=True,
                   env=os.environ | {"PYTHONPATH": str(module)})


def rows_of(module, folder, megabytes, peers=()):
    """(what, weights, figures) for each way to compile the model of that size; `module`: where
    Rondo's module lies."""
    weights = write_models(folder, megabytes)
    (folder / "tiny").mkdir()
    nodes, constants = stack_of(8, 1)
    tiny = folder / "tiny/model.onnx"
    tiny.write_bytes(onnx_writer.model(nodes, constants, [("X", np.float32, (1, 1, 8))],
                                       [("Y", np.float32, (1, 1, 8))]))
    model = folder / "model.onnx"
    convert(module, model, folder / "model.xml")
    for way in RONDO_WAYS:
        path = {"external": folder / "external.onnx", "ir": folder / "model.xml"}.get(way, model)
        cache = folder / "cache" if way == "cache" else None
        for _ in range(2 if cache else 1):  # the first one fills it
            figures = run_measure(module, "rondo", path, tiny, cache)
        yield TITLES[way], weights, figures
    for peer in peers:
        yield f"{peer}, ONNX", weights, run_measure(module, peer, model, tiny)


def table_of(arguments):
    lines = ["| weights | read from | after | own | peak |", "|---:|---|---:|---:|---:|"]
    for megabytes in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            peers = PEERS if arguments.peers else ()
            for what, weights, figures in rows_of(arguments.rondo, pathlib.Path(folder), megabytes,
                                                  peers):
                cells = [f"{figures[key] / MIB:.1f} MiB ({figures[key] / weights:.2f}x)"
                         for key in ("after", "own", "peak")]
                lines.append(f"| {weights / MIB:.1f} MiB | {what} | " + " | ".join(cells) + " |")
                print(lines[-1], file=sys.stderr)
    return "\n".join(lines) + "\n"


def sizes_in(text):
    sizes = tuple(int(item) for item in text.split(","))
    if not set(sizes) <= set(LAYERS):
        raise argparse.ArgumentTypeError(f"expected sizes among {', '.join(map(str, LAYERS))}")
    return sizes


def main():
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:5], sys.argv[5] if len(sys.argv) > 5 else None)
        return
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rondo", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--sizes", type=sizes_in, default=tuple(LAYERS), metavar="MB,...")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    table = table_of(arguments)
    if arguments.markdown:
        marks.put_between(arguments.markdown, MARKS, f"\n{table}\n")
    else:
        print(table, end="")


if __name__ == "__main__":
    main()
