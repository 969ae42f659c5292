#!/usr/bin/env python3
"""How many live streams one core serves: Rondo's stream pool beside onnxruntime.

Usage: bench_streams.py --rondo FILE [--only NAME] [--seconds T] [--bound MS] [--json FILE]
                        [--markdown FILE] FOLDER
FILE is the command rondo; FOLDER holds a folder for each model, with model.onnx in it.
Rondo's number is simulated in real time on one thread (`rondo benchmark -streams max`): the most
streams for which the 99th percentile of the latency stays within the bound. onnxruntime has no
streams: its numbers are the most that one thread could serve if it were busy all the time, one step
a call or 64, without queues or copies of states, which flatters it. Its steps are timed before and
after Rondo's; the best counts. A model of several files serves as many streams as all of them
together leave time for.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from bench_peers_lib import marks

BATCH = 64
MARK = "<!-- streams -->"


class Part:
    """One file of a model: its inputs with the extent 1 or "N" along the batch."""

    def __init__(self, model, inputs, constants=None, batched=True, new_axis=False):
        self.model = model
        self.inputs = inputs
        self.constants = constants or {}
        self.batched = batched  # the file has a batch axis
        self.new_axis = new_axis  # Rondo puts a batch axis in front


CASES = {
    "silero_vad_v6": (31.25, [Part(
        "silero_vad_v6", {"input": ["N", 576], "state": [2, "N", 128]},
        constants={"sr": 16000})]),
    "fw_silero_vad_v6": (31.25, [Part(
        "fw_silero_vad_v6", {"input": [1, 576], "h": [1, 1, 128], "c": [1, 1, 128]},
        batched=False, new_axis=True)]),
    "dtln": (125, [
        Part("dtln_pytorch_p1", {"mag": [1, 1, 257], "h1_in": [1, 1, 128], "c1_in": [1, 1, 128],
                                 "h2_in": [1, 1, 128], "c2_in": [1, 1, 128]}, batched=False),
        Part("dtln_pytorch_p2", {"y1": [1, 512, 1], "h1_in": [1, 1, 128], "c1_in": [1, 1, 128],
                                 "h2_in": [1, 1, 128], "c2_in": [1, 1, 128]}, batched=False)]),
}


class Result:
    """Seconds a step of onnxruntime, and Rondo's number of streams, for each part."""

    def __init__(self, name, rate, parts):
        self.name = name
        self.rate = rate
        self.parts = parts
        self.alone = [float("inf")] * len(parts)
        self.batched = [float("inf")] * len(parts)
        self.rondo = [0] * len(parts)
        self.trials = []

    def peer_streams(self, seconds):
        return 1 / (self.rate * sum(seconds))

    def rondo_streams(self):
        if not all(self.rondo):
            return 0
        return 1 / sum(1 / number for number in self.rondo)


def feeds(part, rows):
    """Random inputs of a part, for a batch of rows."""
    import numpy
    random = numpy.random.default_rng(1)
    values = {name: numpy.asarray(value, "int64") for name, value in part.constants.items()}
    for name, shape in part.inputs.items():
        extents = [rows if extent == "N" else extent for extent in shape]
        values[name] = (random.standard_normal(extents) * 0.1).astype("float32")
    return values


def time_peer(folder, part, rows, seconds):
    """Seconds a step of onnxruntime on one thread: the median of many calls."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / part.model / "model.onnx"), options)
    inputs = feeds(part, rows)
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 10:
        start = time.perf_counter()
        session.run(None, inputs)
        times.append(time.perf_counter() - start)
    return statistics.median(times) / rows


def time_peers(folder, result, seconds):
    for i, part in enumerate(result.parts):
        result.alone[i] = min(result.alone[i], time_peer(folder, part, 1, seconds))
        if part.batched:
            best = time_peer(folder, part, BATCH, seconds)
            result.batched[i] = min(result.batched[i], best)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def simulate(rondo, folder, part, rate, options):
    """The report of `rondo benchmark -streams max`."""
    import numpy
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        model = place / "model.xml"
        run([rondo, "compile", folder / part.model / "model.onnx", "-o", model, "--stateful", "auto"]
            + ["--batch-axis" if part.new_axis else "--batch", "-1"])
        inputs = []
        for name, value in part.constants.items():
            numpy.save(place / f"{name}.npy", numpy.asarray(value, "int64"))
            inputs += ["-i", f"{name}={place / name}.npy"]
        text = run([rondo, "info", "--json", model])
        open_inputs = {name for port in json.loads(text)["inputs"] for name in port["names"]}
        rows = [1] if part.new_axis else []
        shapes = ",".join(
            f"{name}[{','.join(str(1 if e == 'N' else e) for e in rows + shape)}]"
            for name, shape in part.inputs.items() if name in open_inputs)
        run([rondo, "benchmark", "-m", model, "-streams", "max", "-rate", str(rate),
             "-latency_bound", str(options.bound), "-t", str(options.seconds), "-nstreams", "1",
             "-nthreads", "1", "-data_shape", shapes, "-json_stats", "-report_folder", place]
            + inputs)
        return json.loads((place / "benchmark_streams.json").read_text())


def measure(name, options):
    rate, parts = CASES[name]
    result = Result(name, rate, parts)
    time_peers(options.folder, result, options.seconds)
    for i, part in enumerate(parts):
        report = simulate(options.rondo, options.folder, part, rate, options)
        result.rondo[i] = report.get("largest_number_of_streams", 0)
        result.trials.append(report)
    time_peers(options.folder, result, options.seconds)
    return result


def table(results, bound):
    lines = ["| model | chunks a second | onnxruntime, one a call | onnxruntime, 64 a call | "
             f"Rondo, p99 within {bound:g} ms | against one | against 64 |",
             "|---|---|---|---|---|---|---|"]
    for result in results:
        ours = result.rondo_streams()
        alone = result.peer_streams(result.alone)
        batched = result.peer_streams(result.batched)
        cells = [result.name, f"{result.rate:g}", f"{alone:.0f}",
                 f"{batched:.0f}" if batched > 0 else "no batch axis", f"{ours:.0f}",
                 f"{ours / alone:.1f} x", f"{ours / batched:.1f} x" if batched > 0 else ""]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", type=pathlib.Path)
    add("--rondo", required=True, type=pathlib.Path, help="the command rondo")
    add("--only", choices=CASES, help="one of the models")
    add("--seconds", type=float, default=3, help="of each trial")
    add("--bound", type=float, default=10, help="milliseconds of the p99")
    add("--json", metavar="FILE", help="all trials")
    add("--markdown", metavar="FILE", help=f"where the table goes, between two lines {MARK}")
    options = parser.parse_args()
    results = [measure(name, options) for name in ([options.only] if options.only else CASES)]
    text = table(results, options.bound)
    print(text, end="")
    if options.json:
        rows = [{"model": r.name, "rate": r.rate, "onnxruntime_seconds": r.alone,
                 "onnxruntime_batched_seconds": r.batched, "rondo_streams": r.rondo,
                 "trials": r.trials} for r in results]
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=2), encoding="utf-8")
    if options.markdown:
        marks.put_between(options.markdown, (MARK, MARK), f"\n{text}")


if __name__ == "__main__":
    main()
