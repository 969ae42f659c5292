#!/usr/bin/env python3
"""Measures the plugin for onnxruntime against its CPU provider, OpenVINO's plugin and Rondo alone.

Usage: onnxruntime_speed.py LIBRARY [--rondo PACKAGES] [--models FOLDER] [--threads N]
Prints a Markdown table: the least and the median time of a run in microseconds. The providers take
turns within each round, so that the columns of a row can be compared. OpenVINO's column is there if
the package onnxruntime_ep_openvino is.
"""

import argparse
import json
import math
import pathlib
import statistics
import sys
import time


def layers():
    """(name, model, feeds) of single layers."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(1)
    for op, gates in (("LSTM", 4), ("GRU", 3)):
        for steps, hidden in ((100, 128), (1, 128), (100, 256), (1, 256)):
            shapes = {"W": (1, gates * hidden, hidden), "R": (1, gates * hidden, hidden),
                      "B": (1, 2 * gates * hidden)}
            graph = helper.make_graph(
                [helper.make_node(op, ["x", *shapes], ["y"], "layer", hidden_size=hidden)], "layer",
                [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["T", 1, hidden])],
                [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["T", 1, 1, hidden])],
                [numpy_helper.from_array((draw.random(shape, "f4") - 0.5) / 8, name)
                 for name, shape in shapes.items()])
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                                      ir_version=8)
            yield (f"{op} T={steps} H={hidden}", model.SerializeToString(),
                   {"x": draw.random((steps, 1, hidden), "f4")})


def real_models(folder):
    import numpy as np

    for path in sorted(pathlib.Path(folder).glob("*/model.onnx")):
        feeds = {file.name.split("_in_")[1][:-4]: np.load(file)
                 for file in sorted((path.parent / "ref").glob("case0_in_*"))}
        yield path.parent.name, path.read_bytes(), feeds


def runners(model, library, rondo, threads):
    """Functions that run the model, by column."""
    import onnxruntime as ort

    def options():
        one = ort.SessionOptions()
        one.intra_op_num_threads = threads
        one.log_severity_level = 3
        return one

    def with_plugin(name, provider_options, **device_metadata):
        one = options()
        device = next(device for device in ort.get_ep_devices() if device.ep_name == name and all(
            device.ep_metadata.get(key) == value for key, value in device_metadata.items()))
        one.add_provider_for_devices([device], provider_options)
        return ort.InferenceSession(model, one)

    sessions = {"CPU provider": ort.InferenceSession(model, options(),
                                                     providers=["CPUExecutionProvider"])}
    try:
        exact = json.dumps({"CPU": {"INFERENCE_PRECISION_HINT": "f32",
                                    "INFERENCE_NUM_THREADS": threads}})
        sessions["OpenVINO f32"] = with_plugin("OpenVINOExecutionProvider",
                                               {"load_config": exact}, ov_device="CPU")
    except StopIteration:
        pass
    except Exception as error:  # a model that it doesn't take
        print(f"OpenVINO: {' '.join(str(error).split())[:200]}", file=sys.stderr)
    sessions["Rondo"] = with_plugin("RondoExecutionProvider", {"num_threads": str(threads)})
    names = {node.name for node in sessions["CPU provider"].get_inputs()}
    run = lambda session: lambda feeds: session.run(
        None, {name: value for name, value in feeds.items() if name in names})
    found = {name: run(session) for name, session in sessions.items()}
    compiled = rondo.compile_model(rondo.Core().read_model(model), "CPU",
                                   {"INFERENCE_NUM_THREADS": str(threads)})
    request = compiled.create_infer_request()
    found["Rondo alone"] = request.infer
    return found


def measure(functions, feeds, seconds=1.0):
    """(least, median) of each, in microseconds."""
    times = {name: [] for name in functions}
    for run in functions.values():
        run(feeds)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, run in functions.items():
            for _ in range(20):
                start = time.perf_counter_ns()
                run(feeds)
                times[name].append((time.perf_counter_ns() - start) / 1e3)
    return {name: (min(some), statistics.median(some)) for name, some in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--rondo", default="build/release/python", metavar="PACKAGES")
    parser.add_argument("--models", metavar="FOLDER")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    sys.path.insert(0, given.rondo)
    try:
        import onnx  # noqa: F401: used by functions here
        import onnxruntime as ort
        import rondo
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    ort.register_execution_provider_library("rondo", given.library)
    columns = ["CPU provider", "Rondo", "Rondo alone"]
    try:
        import onnxruntime_ep_openvino as openvino

        ort.register_execution_provider_library("openvino", openvino.get_library_path())
        columns.insert(1, "OpenVINO f32")
    except ImportError:
        pass
    print(f"| onnxruntime {ort.__version__}, {given.threads} thread(s) | " + " | ".join(columns) +
          " | CPU provider / Rondo |")
    print("|---|" + "---:|" * (len(columns) + 1))
    ratios = []
    cases = list(layers()) + list(real_models(given.models) if given.models else [])
    for name, model, feeds in cases:
        found = measure(runners(model, given.library, rondo, given.threads), feeds)
        cells = [f"{found[one][0]:.1f} / {found[one][1]:.1f}" if one in found else "-"
                 for one in columns]
        ratio = found["CPU provider"][1] / found["Rondo"][1]
        ratios.append(ratio)
        print(f"| {name} | " + " | ".join(cells) + f" | {ratio:.2f} |", flush=True)
    mean = math.exp(statistics.mean(math.log(ratio) for ratio in ratios))
    print(f"\nGeometric mean of the ratios: {mean:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
