#!/usr/bin/env python3
"""Measures what a call costs besides the model: one small node, by every kind of call.

Usage: PYTHONPATH=build/release/python infer_bench.py [--json]
Prints microseconds a call and milliseconds an import, beside onnxruntime's and OpenVINO's where they
are installed. On a machine that others use too, the least is what counts. Without Python, in C++:
rondo_bench --benchmark_filter=infer.
"""

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import time

import numpy as np
import rondo

CALLS = 1000
ROUNDS = 15
IMPORTS = 11
LIBRARIES = ("rondo", "onnxruntime", "openvino")
SHAPE = (1, 8)

RELU = b"""<?xml version="1.0"?><net name="relu" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1">
<data shape="1,8" element_type="f32"/><output>
<port id="0" precision="FP32" names="x"><dim>1</dim><dim>8</dim></port></output></layer>
<layer id="1" name="relu" type="ReLU" version="opset1"><input>
<port id="0" precision="FP32"><dim>1</dim><dim>8</dim></port></input><output>
<port id="1" precision="FP32" names="y"><dim>1</dim><dim>8</dim></port></output></layer>
<layer id="2" name="result" type="Result" version="opset1"><input>
<port id="0" precision="FP32"><dim>1</dim><dim>8</dim></port></input></layer></layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>"""


def measure(call):
    """Microseconds a call: least, median and greatest of the rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        rounds.append((time.perf_counter() - start) / CALLS * 1e6)
    return min(rounds), statistics.median(rounds), max(rounds)


def openvino_like(module, compiled):
    """Ways to call that Rondo and OpenVINO share."""
    x, y = np.ones(SHAPE, np.float32), np.zeros(SHAPE, np.float32)
    request = compiled.create_infer_request()
    bound = compiled.create_infer_request()
    bound.set_input_tensor(module.Tensor(x, shared_memory=True))
    bound.set_output_tensor(module.Tensor(y, shared_memory=True))
    return {
        "request.infer(), tensors bound": bound.infer,
        "request.infer(share_outputs=True), tensors bound":
            lambda: bound.infer(share_outputs=True),
        "request.infer([x])": lambda: request.infer([x]),
        "request.infer({'x': x})": lambda: request.infer({"x": x}),
        "compiled(x)": lambda: compiled(x),
    }


def onnxruntime_calls():
    import onnxruntime
    from onnx import TensorProto, helper

    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in "xy"]
    node = helper.make_node("Relu", ["x"], ["y"])
    graph = helper.make_graph([node], "relu", value[:1], value[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    x, y = np.ones(SHAPE, np.float32), np.zeros(SHAPE, np.float32)
    binding = session.io_binding()
    binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(x))
    binding.bind_ortvalue_output("y", onnxruntime.OrtValue.ortvalue_from_numpy(y))
    return {
        "session.run_with_iobinding(), tensors bound": lambda: session.run_with_iobinding(binding),
        "session.run(None, {'x': x})": lambda: session.run(None, {"x": x}),
    }


def all_calls():
    calls = {"rondo": openvino_like(rondo, rondo.compile_model(RELU, "CPU"))}
    if importlib.util.find_spec("onnxruntime") and importlib.util.find_spec("onnx"):
        calls["onnxruntime"] = onnxruntime_calls()
    if importlib.util.find_spec("openvino"):
        import openvino

        compiled = openvino.Core().compile_model(openvino.Core().read_model(RELU), "CPU")
        calls["openvino"] = openvino_like(openvino, compiled)
    return calls


def import_milliseconds(library):
    """In a Python of its own: least, median and greatest."""
    timed = ("import time; start = time.perf_counter(); import {}; "
             "print((time.perf_counter() - start) * 1e3)").format(library)
    rounds = [float(subprocess.run([sys.executable, "-c", timed], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout) for _ in range(IMPORTS)]
    return min(rounds), statistics.median(rounds), max(rounds)


def all_imports():
    return {f"import {library}": import_milliseconds(library) for library in LIBRARIES
            if importlib.util.find_spec(library)}


def print_rows(title, rows):
    print(f"{title:<62} {'min':>7} {'median':>7} {'max':>7}")
    for name, times in rows.items():
        print(f"{name:<62} " + " ".join(f"{value:7.2f}" for value in times))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="for machines")
    options = parser.parse_args()
    results = {library: {name: measure(call) for name, call in calls.items()}
               for library, calls in all_calls().items()}
    imports = all_imports()
    if options.json:
        print(json.dumps({"microseconds a call": results, "milliseconds": imports}, indent=1))
        return 0
    print_rows("microseconds a call", {f"{library}: {name}": times
                                       for library, rows in results.items()
                                       for name, times in rows.items()})
    print_rows("milliseconds", imports)
    return 0


if __name__ == "__main__":
    sys.exit(main())
