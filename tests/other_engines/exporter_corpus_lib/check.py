"""What Rondo makes of the corpus, against onnxruntime."""

import collections
import dataclasses

import numpy

TOLERANCE = 1e-4
LAYOUT = ("ShapeOf", "Transpose", "Squeeze", "Unsqueeze", "Concat", "Loop", "TensorIterator", "If",
          "Gather", "Slice", "Split", "VariadicSplit", "Broadcast")
RECURRENT = ("LSTMSequence", "GRUSequence", "RNNSequence", "AUGRUSequence", "SequenceStack",
             "StridedSequence", "LSTMCell", "GRUCell", "RNNCell")
FREE = ("view", "strides", "shape")  # kernels that move no elements


@dataclasses.dataclass
class Verdict:
    """`kind`: right, wrong, refused or unknown (the peer refuses too)."""

    case: object
    kind: str
    why: str = ""
    ops: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    kernels: list = dataclasses.field(default_factory=list)  # (node type, kernel): what runs

    @property
    def is_plain(self):
        """A sequence, a stack or a cell, and nothing that is only there for its layout."""
        return any(name in RECURRENT for name in self.ops) and not self.layout

    @property
    def has_sequence(self):
        return any(name in RECURRENT for name in self.ops)

    @property
    def has_loop(self):
        return any(name in ("Loop", "TensorIterator") for name in self.ops)

    @property
    def layout(self):
        """Nodes of the CPU's program. The runtime model has more: it has nodes for what a layer
        does by itself, such as starting from zeros or reading through strides."""
        return collections.Counter(kind for kind, kernel in self.kernels
                                   if kind in LAYOUT and kernel != "strides")

    @property
    def moved(self):
        """What is only there for its layout and costs time."""
        return collections.Counter(kind for kind, kernel in self.kernels
                                   if kind in LAYOUT and kernel not in FREE)

    @property
    def moves_nothing(self):
        return any(kind in RECURRENT for kind, _ in self.kernels) and not self.moved


def expected_outputs(case):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(case.model, options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    for arrays in case.runs():
        yield session.run(None, {name: array for name, array in arrays.items() if name in names})


def first_difference(compiled, case, expected):
    request = compiled.create_infer_request()
    names = {name for port in compiled.inputs for name in port.get_names()}
    for number, (arrays, outputs) in enumerate(zip(case.runs(), expected)):
        request.infer({name: array for name, array in arrays.items() if name in names})
        for index, output in enumerate(outputs):
            actual = numpy.array(request.get_output_tensor(index).data)
            if actual.shape != output.shape:
                return f"run {number}: shape {actual.shape}, expected {output.shape}"
            error = numpy.abs(actual.astype("f8") - output.astype("f8"))
            limit = TOLERANCE * (1 + numpy.abs(output.astype("f8")))
            if not numpy.all(error <= limit):
                return f"run {number}: off by {numpy.nanmax(error):.3g}"
    return ""


def ops_of(compiled):
    kinds = [node.get_type_name() for node in compiled.get_runtime_model().get_ordered_ops()]
    return collections.Counter(
        kind for kind in kinds if kind not in ("Parameter", "Result", "Constant"))


def judge(case, core):
    try:
        expected = list(expected_outputs(case))
    except Exception as error:  # whatever the peer raises
        return Verdict(case, "unknown", str(error).splitlines()[0])
    try:
        compiled = core.compile_model(case.model, "CPU")
        why = first_difference(compiled, case, expected)
    except Exception as error:
        return Verdict(case, "refused", str(error).splitlines()[0])
    return Verdict(case, "wrong" if why else "right", why, ops_of(compiled),
                   [(kernel.node_type, kernel.kernel) for kernel in compiled.kernels])
