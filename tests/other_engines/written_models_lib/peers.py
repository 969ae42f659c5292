"""The peers that run what Rondo has written, and what is known of each."""

import re
import subprocess
from xml.etree import ElementTree

import random_models
from written_models_lib import judge, openvino_ways, runs


def compiled(command, model, target, *options):
    done = subprocess.run([command, "compile", str(model), "-o", str(target), *options],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise judge.NotWritten(done.stderr)
    return target


class OnnxRuntime:
    """ONNX."""

    MODULES = ("onnx", "onnxruntime")

    def __init__(self, command, place, options=()):
        self.command, self.file, self.options = command, place / "written.onnx", options

    def open(self, model):
        import onnx
        import onnxruntime

        compiled(self.command, model, self.file, *self.options)
        try:
            onnx.checker.check_model(str(self.file), full_check=True)
        except Exception as error:  # whatever the checker throws
            raise judge.Invalid(str(error)) from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(self.file), options,
                                                    providers=["CPUExecutionProvider"])
        self.inputs = [node.name for node in self.session.get_inputs()]
        self.outputs = [node.name for node in self.session.get_outputs()]
        return self

    def run(self, feeds):
        return self.session.run(self.outputs, feeds)

    @staticmethod
    def lacks(message):
        return "NOT_IMPLEMENTED" in message  # an operator, or its version of this opset

    @staticmethod
    def known(kind, text, folder, case=None):
        return None


# What OpenVINO 2026.4 can't do or does wrong in files that its own rules allow: a part of its
# message, and the reason as docs/interchange.md has it.
OPENVINO_REFUSES = [
    (r"rank\(\)\.is_dynamic", "a tensor whose rank isn't known"),
    (r"GatherElements.*equal or intersecting", "GatherElements of fewer rows than the data has"),
    (r"Signal size greater than input size", "RDFT of a size above the input's"),
    (r"start, stride, part_size, or end", "a Loop that joins parts of more than one element"),
    (r"trip_count != 0", "a Loop of no iteration on constants"),
    (r"Zero count of iteration not supported", "a TensorIterator without parts"),
    (r"two outputs have one name", "outputs that it finds equal: one of them loses its name"),
    (r"Min value must be less than max value", "RandomUniform between two equal numbers"),
]
# What Rondo refuses to write for it: its list of ops and types in docs/interchange.md.
NOT_FOR_OPENVINO = {"BitCast", "Col2Im", "Convert that rounds in another way", "CumProd", "Det",
                    "GridSample", "Interpolate", "MatMulInteger", "Pad", "ROIAlign", "f8e4m3fnuz",
                    "f8e5m2fnuz", "i2"}
# Operators of the original that OpenVINO computes otherwise.
OPENVINO_WRONG = {
    "Bernoulli": "random numbers differ",
}


HANDED_ON = "loops that give one carried value the place of another"
ITSELF = "computes the original otherwise, too"


def hands_on(path):
    """Whether a loop of the file gives one carried value the place of another as it is: OpenVINO's
    CPU device may write over it before it reads it."""
    for loop in ElementTree.parse(path).getroot().iter("layer"):
        body, back = loop.find("body"), loop.find("back_edges")
        if body is None or back is None:
            continue
        kinds = {layer.get("id"): layer.get("type") for layer in body.find("layers")}
        sources = {edge.get("to-layer"): edge.get("from-layer") for edge in body.find("edges")
                   if kinds[edge.get("to-layer")] == "Result"}
        for edge in back:
            source = sources[edge.get("from-layer")]
            if kinds[source] == "Parameter" and source != edge.get("to-layer"):
                return True
    return False


def is_wrong_itself(folder, case):
    """Whether OpenVINO runs the original and computes it otherwise than Rondo's reference."""
    try:
        original = random_models.OpenVino(folder / "model.onnx")
        actual = original.run(list(case.right), case.feeds)
    except Exception:  # whatever it throws
        return False
    return any(random_models.difference(value, right, judge.tolerance_of(folder))
               for value, right in zip(actual, case.right.values()))


def not_written(text):
    """Why Rondo refuses the model, where docs/interchange.md says so."""
    _, is_list, ops = text.partition("OpenVINO has nothing for ")
    lacking = sorted(set(re.findall(r"' \(([^)]*)\)", ops)))
    known = [what in NOT_FOR_OPENVINO or what.endswith("comes with the run") for what in lacking]
    if not is_list or not known or not all(known):
        return None
    return "not written: " + ", ".join(lacking)


class OpenVino:
    """IR, in f32. With one thread, a node that fails would end no inference: outputs would be memory
    that was never written."""

    MODULES = ("openvino",)

    def __init__(self, command, place, options=()):
        self.command, self.file, self.options = command, place / "written.xml", options

    def open(self, model):
        import openvino

        compiled(self.command, model, self.file, "--for", "openvino", *self.options)
        core = openvino.Core()
        self.model = core.compile_model(core.read_model(str(self.file)), "CPU",
                                        {"INFERENCE_PRECISION_HINT": "f32",
                                         "INFERENCE_NUM_THREADS": 2})
        self.inputs = [runs.known_name(model.parent, "in", node.names)
                       for node in self.model.inputs]
        self.outputs = [runs.known_name(model.parent, "out", node.names)
                        for node in self.model.outputs]
        if len(set(self.outputs)) < len(self.outputs):
            raise RuntimeError("two outputs have one name")
        return self

    def run(self, feeds, times=1):
        import numpy

        request = self.model.create_infer_request()
        for _ in range(times):
            request.infer(feeds)
        return [numpy.array(request.get_tensor(name).data) for name in self.outputs]

    @staticmethod
    def lacks(message):
        return False

    def known(self, kind, text, folder, case=None):
        if kind == "refused":
            return not_written(text)
        if kind != "differs":
            why = next((why for pattern, why in OPENVINO_REFUSES if re.search(pattern, text)), None)
            if why or case is None:
                return why
            return random_models.EMPTY if case.is_empty else (
                ITSELF if is_wrong_itself(folder, case) else None)
        if why := openvino_ways.known_way(self, case, judge.tolerance_of(folder)):
            return why
        if is_wrong_itself(folder, case):
            return ITSELF
        if hands_on(self.file):
            return HANDED_ON
        operators = runs.about(folder).get("operators", ())
        why = next((why for name, why in OPENVINO_WRONG.items() if name in operators), None)
        is_recurrent = bool(random_models.RECURRENT & set(operators))
        return why or (random_models.EMPTY if case.is_empty and is_recurrent else None)


PEERS = {"onnxruntime": OnnxRuntime, "openvino": OpenVino}
