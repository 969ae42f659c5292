#!/usr/bin/env python3
"""Measures the plugin for onnxruntime against its CPU provider, OpenVINO's plugin and Rondo alone.

Usage: onnxruntime_speed.py LIBRARY [--rondo PACKAGES] [--models FOLDER] [--threads N] [--bind]
Prints a Markdown table: the least and the median time of a run in microseconds. The providers take
turns, so that the columns of a row can be compared. With --bind, sessions have their inputs and
outputs bound once (IOBinding), as programs do that run small models often: else some 7 us of each
run are onnxruntime's Python, whatever the provider. OpenVINO's columns are there if the packages
onnxruntime_ep_openvino and openvino are.
"""

import argparse
import json
import math
import os
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


def openvino_runners(model, names, threads, with_plugin):
    """OpenVINO's plugin; OpenVINO alone where its plugin has no device, as on CPUs of others."""
    found = {}
    for column, precision in (("OpenVINO f32", {"INFERENCE_PRECISION_HINT": "f32"}),
                              ("OpenVINO", {})):
        properties = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", **precision}
        try:
            found[column] = with_plugin("OpenVINOExecutionProvider", {
                "load_config": json.dumps({"CPU": properties})}, ov_device="CPU")
        except StopIteration:
            try:
                import openvino
            except ImportError:
                return {}
            try:
                core = openvino.Core()
                compiled = core.compile_model(core.read_model(model, b""), "CPU", properties)
                infer = compiled.create_infer_request().infer
                found[f"{column} alone"] = lambda feeds, infer=infer: infer(
                    {name: feeds[name] for name in names})
            except Exception as error:
                print(f"OpenVINO: {' '.join(str(error).split())[:200]}", file=sys.stderr)
        except Exception as error:  # a model that it doesn't take
            print(f"OpenVINO: {' '.join(str(error).split())[:200]}", file=sys.stderr)
    return found


def runners(model, rondo, threads, binds):
    """Functions that run the model, by column."""
    import onnxruntime as ort

    def options():
        one = ort.SessionOptions()
        one.intra_op_num_threads = threads
        one.log_severity_level = 3
        return one

    plain = ort.InferenceSession(model, options(), providers=["CPUExecutionProvider"])
    names = [node.name for node in plain.get_inputs()]

    def run_bound(session):
        binding = session.io_binding()
        for node in session.get_outputs():
            binding.bind_output(node.name)
        bound = {}

        def bind_and_run(feeds):
            for name in names:
                if bound.get(name) is not feeds[name]:
                    bound[name] = feeds[name]
                    binding.bind_cpu_input(name, feeds[name])
            session.run_with_iobinding(binding)
        return bind_and_run

    def run(session):
        if binds:
            return run_bound(session)
        return lambda feeds: session.run(None, {name: feeds[name] for name in names})

    def with_plugin(name, provider_options, **device_metadata):
        one = options()
        device = next(device for device in ort.get_ep_devices() if device.ep_name == name and all(
            device.ep_metadata.get(key) == value for key, value in device_metadata.items()))
        one.add_provider_for_devices([device], provider_options)
        return run(ort.InferenceSession(model, one))

    found = {"CPU provider": run(plain), **openvino_runners(model, names, threads, with_plugin)}
    found["Rondo"] = with_plugin("RondoExecutionProvider", {"num_threads": str(threads)})
    compiled = rondo.compile_model(rondo.Core().read_model(model), "CPU",
                                   {"INFERENCE_NUM_THREADS": str(threads)})
    found["Rondo alone"] = compiled.create_infer_request().infer
    return found


def measure(functions, feeds, turns=12, seconds=0.03):
    """(least, median) of each, in microseconds.

    They take turns. Threads of the one before may spin for some milliseconds; they aren't measured.
    """
    times = {name: [] for name in functions}
    for run in functions.values():
        run(feeds)
    for _ in range(turns):
        for name, run in functions.items():
            time.sleep(0.01)
            run(feeds)
            run(feeds)
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                start = time.perf_counter_ns()
                run(feeds)
                times[name].append((time.perf_counter_ns() - start) / 1e3)
    return {name: (min(some), statistics.median(some)) for name, some in times.items()}


def geometric_mean(ratios):
    return math.exp(statistics.mean(math.log(ratio) for ratio in ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("--rondo", default="build/release/python", metavar="PACKAGES")
    parser.add_argument("--models", metavar="FOLDER")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--bind", action="store_true")
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
    try:
        import onnxruntime_ep_openvino as openvino

        ort.register_execution_provider_library("openvino", openvino.get_library_path())
    except ImportError:
        pass
    columns = []
    ratios = {"layers": [], "models": []}
    cases = [("layers", *case) for case in layers()]
    cases += [("models", *case) for case in (real_models(given.models) if given.models else [])]
    for kind, name, model, feeds in cases:
        found = measure(runners(model, rondo, given.threads, given.bind), feeds)
        if not columns:
            columns = list(found)
            print(f"| onnxruntime {ort.__version__}, {given.threads} thread(s) | " +
                  " | ".join(columns) + " | CPU provider / Rondo |")
            print("|---|" + "---:|" * (len(columns) + 1))
        cells = [f"{found[one][0]:.1f} / {found[one][1]:.1f}" if one in found else "-"
                 for one in columns]
        ratio = found["CPU provider"][1] / found["Rondo"][1]
        ratios[kind].append(ratio)
        print(f"| {name} | " + " | ".join(cells) + f" | {ratio:.2f} |", flush=True)
    for kind, some in ratios.items():
        if some:
            print(f"\nGeometric mean of {len(some)} {kind}: {geometric_mean(some):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
