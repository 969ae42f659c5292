#!/usr/bin/env python3
"""Runs the plugin in the onnxruntime of this Python: every way in, and the real models.

Usage: onnxruntime_sessions.py LIBRARY [--rondo PACKAGES] [--models FOLDER]
LIBRARY is librondo_onnxruntime_ep.so; PACKAGES holds the Python package rondo (build/release/python).
FOLDER (RONDO_MODELS) has a folder for each model, with model.onnx and ref/caseN_in_NAME.npy; without
it no real models run. Needs the package onnx.
Exit code 77 where onnxruntime or onnx is missing.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ.get("RONDO_MODELS", ROOT / "../shared/models")).resolve()
NAME = "RondoExecutionProvider"
TOLERANCE = 5e-4


def release(ort):
    return tuple(int(part) for part in ort.__version__.split(".")[:2])


def lstm_model(steps="T", hidden=16):
    """x [steps,2,4] -> LSTM -> y, with weights of more than 4 KiB."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(1)
    weights = {"W": (1, 4 * hidden, 4), "R": (1, 4 * hidden, hidden), "B": (1, 8 * hidden)}
    graph = helper.make_graph(
        [helper.make_node("LSTM", ["x", *weights], ["y"], "lstm", hidden_size=hidden)], "lstm",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [steps, 2, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [steps, 1, 2, hidden])],
        [numpy_helper.from_array(draw.normal(0, 0.3, shape).astype("f4"), name)
         for name, shape in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def divided_model():
    """x [T,2,4] -> LSTM -> Normalizer, which Rondo lacks -> LSTM -> y."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(2)
    constants = {"flat": np.array([-1, 8]), "deep": np.array([-1, 2, 8])}
    for name, inputs in (("first", 4), ("second", 8)):
        for kind, columns in (("W", inputs), ("R", 8)):
            constants[f"{name}_{kind}"] = draw.normal(0, 0.3, (1, 32, columns)).astype("f4")
    graph = helper.make_graph(
        [helper.make_node("LSTM", ["x", "first_W", "first_R"], ["a"], "first", hidden_size=8),
         helper.make_node("Reshape", ["a", "flat"], ["b"]),
         helper.make_node("Normalizer", ["b"], ["c"], domain="ai.onnx.ml", norm="L2"),
         helper.make_node("Reshape", ["c", "deep"], ["d"]),
         helper.make_node("LSTM", ["d", "second_W", "second_R"], ["y"], "second", hidden_size=8)],
        "divided", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["T", 2, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["T", 1, 2, 8])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def branching_model():
    """x -> LSTM -> If "choice", whose branches have an LSTM with weights of the main graph."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    draw = np.random.default_rng(5)
    constants = {name: draw.normal(size=(1, 32, size)).astype("f4") / 4
                 for name, size in (("first_W", 4), ("first_R", 8), ("W", 8), ("R", 8))}
    constants["axis"] = np.array([1])

    def branch(name, activations):
        return helper.make_graph(
            [helper.make_node("LSTM", ["z", "W", "R"], [name], hidden_size=8,
                              activations=activations)], name, [],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["T", 1, 2, 8])])

    graph = helper.make_graph(
        [helper.make_node("LSTM", ["x", "first_W", "first_R"], ["y"], hidden_size=8),
         helper.make_node("Squeeze", ["y", "axis"], ["z"]),
         helper.make_node("If", ["choice"], ["out"],
                          then_branch=branch("a", ["Sigmoid", "Tanh", "Tanh"]),
                          else_branch=branch("b", ["Sigmoid", "Tanh", "Relu"]))],
        "branching", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["T", 2, 4]),
                      helper.make_tensor_value_info("choice", TensorProto.BOOL, [])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["T", 1, 2, 8])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def context_nodes(path):
    """The attributes of a model's EPContext nodes."""
    import onnx
    from onnx import helper

    return [{one.name: helper.get_attribute_value(one) for one in node.attribute}
            for node in onnx.load(path).graph.node if node.op_type == "EPContext"]


class Trial:
    def __init__(self, library, packages):
        sys.path.insert(0, packages)
        import onnxruntime
        import rondo

        self.ort, self.rondo, self.library = onnxruntime, rondo, library
        self.count = 0

    def options(self, whole=True, level=None, **provider_options):
        options = self.ort.SessionOptions()
        options.log_severity_level = 3
        if whole:
            options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        if level is not None:
            options.graph_optimization_level = level
        device = next(one for one in self.ort.get_ep_devices() if one.ep_name == NAME)
        options.add_provider_for_devices([device], provider_options)
        return options

    def session(self, model, *options, **more):
        """Without onnxruntime's own fallback: a run that fails would be the CPU provider's."""
        return self.ort.InferenceSession(model, *options, enable_fallback=0, **more)

    def own(self, model, feeds):
        compiled = self.rondo.compile_model(self.rondo.Core().read_model(model), "CPU")
        results = compiled(feeds)
        return [results[port.any_name] for port in compiled.outputs]

    def check(self, what, good):
        self.count += 1
        if not good:
            sys.exit(f"{what}: failed, with onnxruntime {self.ort.__version__}")

    def registers_again(self, model, feeds):
        for _ in range(3):
            self.ort.register_execution_provider_library("rondo", self.library)
            session = self.session(model, self.options())
            self.check("registered", same(session.run(None, feeds), self.own(model, feeds)))
            del session
            self.ort.unregister_execution_provider_library("rondo")
            self.check("unregistered", all(one.ep_name != NAME for one in
                                           self.ort.get_ep_devices()))
        self.ort.register_execution_provider_library("rondo", self.library)

    def reads_external_data(self, model, feeds):
        import onnx

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.onnx")
            onnx.save(onnx.load_from_string(model), path, save_as_external_data=True,
                      location="weights.bin", size_threshold=64)
            session = self.session(path, self.options())
            self.check("external data", same(session.run(None, feeds), self.own(model, feeds)))
        self.check("deleted files", same(session.run(None, feeds), self.own(model, feeds)))

    def runs_by_name(self, model, feeds):
        if release(self.ort) < (1, 25):
            return
        session = self.session(model, providers=[NAME])
        self.check("by name", session.get_providers()[0] == NAME)
        self.check("by name", same(session.run(None, feeds), self.own(model, feeds)))
        session = self.session(model, providers=[(NAME, {"partition": "whole"})])
        self.check("with options", same(session.run(None, feeds), self.own(model, feeds)))

    def refuses_options(self, model):
        for options, text in (({"threads": "2"}, "num_threads"), ({"precision": "i4"}, "bf16"),
                              ({"num_threads": "2000"}, "1024"), ({"cache_dir": "/proc/x"}, "/proc/x")):
            try:
                self.session(model, self.options(**options))
                self.check("a wrong option", False)
            except Exception as error:
                self.check("a wrong option", text in str(error))

    def runs_on_threads(self, model):
        import numpy as np

        session = self.session(model, self.options(num_threads="1"))
        draw = np.random.default_rng(2)
        feeds = [{"x": draw.normal(size=(1 + i % 7, 2, 4)).astype("f4")} for i in range(160)]
        results = [None] * len(feeds)

        def work(first):
            for i in range(first, len(feeds), 8):
                results[i] = session.run(None, feeds[i])

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one, result in zip(feeds, results):
            self.check("threads", same(result, session.run(None, one)))

    def writes_into_bound_memory(self, model):
        import numpy as np

        session = self.session(model, self.options())
        x = np.random.default_rng(3).normal(size=(5, 2, 4)).astype("f4")
        y = np.zeros((5, 1, 2, 16), "f4")
        binding = session.io_binding()
        binding.bind_cpu_input("x", x)
        binding.bind_output("y", "cpu", 0, np.float32, y.shape, y.ctypes.data)
        session.run_with_iobinding(binding)
        self.check("bound memory", same([y], self.own(model, {"x": x})))

    def fails(self, what, path, text=None):
        """No session runs the model; the log says why."""
        with tempfile.TemporaryFile() as log:
            stderr = os.dup(2)
            os.dup2(log.fileno(), 2)
            try:
                self.session(path, self.options(whole=False))
                failed = False
            except Exception:
                failed = True
            finally:
                os.dup2(stderr, 2)
                os.close(stderr)
            log.seek(0)
            self.check(what, failed and (text is None or text in log.read().decode()))

    def compile_model(self, source, out, embeds, compiler):
        """Writes `out`; returns a session of the source that took no part in it."""
        level = self.ort.GraphOptimizationLevel.ORT_DISABLE_ALL if compiler else None
        if compiler:
            options = self.options(whole=False, level=level)
            self.ort.ModelCompiler(options, source, embed_compiled_data_into_model=embeds,
                                   graph_optimization_level=level).compile_to_file(out)
        else:
            options = self.options(whole=False)
            options.add_session_config_entry("ep.context_enable", "1")
            options.add_session_config_entry("ep.context_file_path", out)
            options.add_session_config_entry("ep.context_embed_mode", str(int(embeds)))
            self.session(source, options)
        return self.session(source, self.options(whole=False, level=level))

    def runs_compiled_models(self, source, feeds, parts):
        for embeds in (False, True):
            for compiler in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    out = os.path.join(folder, "compiled.onnx")
                    plain = self.compile_model(source, out, embeds, compiler)
                    nodes = context_nodes(out)
                    self.check("parts", len(nodes) == parts)
                    files = ["compiled.onnx"] + ([] if embeds else ["compiled_rondo.bin"])
                    self.check("files", sorted(os.listdir(folder)) == files)
                    session = self.session(out, self.options(whole=False))
                    self.check("a compiled model", same(session.run(None, feeds),
                                                        plain.run(None, feeds)))

    def refuses_compiled_models(self, model):
        import onnx

        with tempfile.TemporaryDirectory() as folder:
            for embeds in (False, True):
                out = os.path.join(folder, f"compiled{int(embeds)}.onnx")
                self.compile_model(model, out, embeds, False)

            def changed(embeds, name, value):
                message = onnx.load(os.path.join(folder, f"compiled{int(embeds)}.onnx"))
                attribute = next(one for one in message.graph.node[0].attribute
                                 if one.name == name)
                attribute.s = value(attribute.s)
                path = os.path.join(folder, "changed.onnx")
                onnx.save(message, path)
                return path

            self.fails("a changed byte", changed(True, "ep_cache_context", flipped),
                       "these bytes are not from export_model()")
            self.fails("another source", changed(True, "source", lambda _: b"OtherProvider"))
            self.fails("a hostile path",
                       changed(False, "ep_cache_context", lambda _: b"../../etc/passwd"),
                       "the compiled part lies at '../../etc/passwd'")
            self.fails("an absolute path", changed(False, "ep_cache_context",
                                                   lambda _: b"/etc/passwd"), "'/etc/passwd'")
            with open(os.path.join(folder, "compiled0_rondo.bin"), "r+b") as file:
                part = file.read()
                file.seek(0)
                file.write(flipped(part))
            self.fails("a changed file", os.path.join(folder, "compiled0.onnx"),
                       "these bytes are not from export_model()")

    def runs_real_compiled_models(self, folder):
        import numpy as np

        for name in ("silero_vad_v6", "fw_silero_vad_v6", "t2t_rawi_int8"):
            path = pathlib.Path(folder, name, "model.onnx")
            # Its layers are in bodies, which older releases don't let Rondo take as a whole.
            if not path.exists() or name == "silero_vad_v6" and release(self.ort) < (1, 27):
                continue
            feeds = {file.name[len("case0_in_"):-len(".npy")]: np.load(file)
                     for file in (path.parent / "ref").glob("case0_in_*.npy")}
            self.runs_compiled_models(str(path), feeds, 1)

    def shows_layers_in_profiles(self, model, feeds):
        with tempfile.TemporaryDirectory() as folder:
            options = self.options(whole=False)
            options.enable_profiling = True
            options.profile_file_prefix = os.path.join(folder, "profile")
            session = self.session(model, options)
            for _ in range(3):
                session.run(None, feeds)
            with open(session.end_profiling(), encoding="utf-8") as file:
                rows = json.load(file)
        ours = [row for row in rows if row["cat"] == "Kernel"
                and row["args"].get("provider") == NAME]
        if release(self.ort) < (1, 25):
            return self.check("an old profile", not ours)
        nodes = [row for row in rows if row["cat"] == "Node" and
                 row["args"].get("provider") == NAME and row["name"].endswith("_kernel_time")]
        layers = [row for row in ours if row["name"] in ("first", "second")]
        self.check("layers in a profile", len(layers) == len(nodes) == 6)
        self.check("kernels in a profile",
                   all(row["args"]["kernel"].startswith("lstm_") for row in layers))
        for row in ours:
            self.check("a row's time", row["dur"] >= 0 and int(row["args"]["duration_ns"]) > 0)
            # Both ends are rounded to microseconds on their own.
            self.check("a row's place", any(
                node["ts"] <= row["ts"] and row["tid"] == node["tid"] and
                row["ts"] + row["dur"] <= node["ts"] + node["dur"] + 2 for node in nodes))

    def exact_session(self, path):
        """All of the file in Rondo; None where an old onnxruntime doesn't allow it."""
        options = self.options(level=self.ort.GraphOptimizationLevel.ORT_DISABLE_ALL,
                               partition="whole")
        try:
            return self.session(path, options)
        except Exception:
            if release(self.ort) >= (1, 27):
                raise
            print(f"{path}: not whole, since onnxruntime is older than 1.27")
            return None

    def runs_real_models(self, folder):
        import numpy as np

        for path in sorted(folder.glob("*/model.onnx")):
            exact = self.exact_session(str(path))
            session = self.session(str(path), self.options(whole=False))
            plain = self.session(str(path), providers=["CPUExecutionProvider"])
            compiled = self.rondo.compile_model(str(path), "CPU")
            reference = path.parent / "ref"
            cases = sorted({file.name.split("_in_")[0] for file in reference.glob("*_in_*")})
            for case in cases:
                feeds = {node.name: np.load(reference / f"{case}_in_{node.name}.npy")
                         for node in plain.get_inputs()}
                expected = plain.run(None, feeds)
                own = compiled(feeds)
                order = [node.name for node in session.get_outputs()]
                same_as_own = exact is None or same(exact.run(None, feeds),
                                                    [own[name] for name in order])
                worst = max(distance(*pair) for pair in zip(session.run(None, feeds), expected))
                alone = max(distance(own[name], value) for name, value in zip(order, expected))
                print(f"{path.parent.name} {case}: Rondo's own bits: {same_as_own}; from the CPU "
                      f"provider {worst:.2g}, Rondo alone {alone:.2g}")
                self.check(f"{path.parent.name}: bits", same_as_own)
                # Models of integers differ in how they round, as Rondo's own results do.
                self.check(f"{path.parent.name}: values", worst <= max(TOLERANCE, 2 * alone))


def flipped(part):
    """With a bit changed in the middle."""
    middle = len(part) // 2
    return part[:middle] + bytes([part[middle] ^ 1]) + part[middle + 1:]


def same(results, others):
    return all(one.shape == other.shape and one.tobytes() == other.tobytes()
               for one, other in zip(results, others))


def distance(one, other):
    import numpy as np

    if one.shape != other.shape:
        return float("inf")
    one, other = one.astype("f8"), other.astype("f8")
    return float(np.max(np.abs(one - other) / np.maximum(1, np.abs(other)), initial=0))


def second_door(library):
    """As custom operators, in a process in which no library was registered."""
    import numpy as np
    import onnxruntime as ort

    model = lstm_model().SerializeToString()
    x = np.random.default_rng(3).normal(size=(5, 2, 4)).astype("f4")
    results = []
    for _ in range(2):
        options = ort.SessionOptions()
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        options.register_custom_ops_library(library)
        results.append(ort.InferenceSession(model, options).run(None, {"x": x}))
    return 0 if same(*results) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=os.path.abspath)
    parser.add_argument("--rondo", default="build/release/python", metavar="PACKAGES")
    parser.add_argument("--models", metavar="FOLDER", type=pathlib.Path, default=MODELS)
    parser.add_argument("--second-door", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    try:
        import numpy as np
        import onnx  # noqa: F401: used by functions here
        import onnxruntime  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    if given.second_door:
        return second_door(given.library)
    trial = Trial(given.library, given.rondo)
    model = lstm_model().SerializeToString()
    feeds = {"x": np.random.default_rng(3).normal(size=(5, 2, 4)).astype("f4")}
    trial.registers_again(model, feeds)
    trial.reads_external_data(model, feeds)
    for choice in (True, False):
        trial.reads_external_data(branching_model().SerializeToString(),
                                  {**feeds, "choice": np.array(choice)})
    trial.runs_by_name(model, feeds)
    trial.refuses_options(model)
    trial.runs_on_threads(model)
    trial.writes_into_bound_memory(model)
    trial.runs_compiled_models(model, feeds, 1)
    divided = divided_model().SerializeToString()
    trial.runs_compiled_models(divided, feeds, 2)
    trial.refuses_compiled_models(model)
    trial.shows_layers_in_profiles(divided, feeds)
    if given.models.is_dir():
        trial.runs_real_models(given.models)
        trial.runs_real_compiled_models(given.models)
    else:
        print(f"there are no models in '{given.models}': set RONDO_MODELS")
    door = subprocess.run([sys.executable, __file__, given.library, "--second-door"], check=False)
    trial.check("custom operators", door.returncode == 0)
    print(f"onnxruntime {trial.ort.__version__}: {trial.count} checks passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
