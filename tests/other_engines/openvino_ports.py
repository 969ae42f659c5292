#!/usr/bin/env python3
"""Asks OpenVINO which ranks and types it takes at the inputs of core/graph/port_forms.cpp, and which
of them may come with the run.

Usage: openvino_ports.py [--verbose]
For each row of the table an op is made on a constant of each rank and type of integers, and
compiled for the CPU. Prints a line for each form that the table allows and OpenVINO refuses (a
fault), and for each one that OpenVINO takes and the table doesn't (with --verbose: Rondo's readers
bring such forms into one that the table allows). Where the table doesn't want a constant, the op
also runs with an input of the model there. Exit code 1 if there is a fault, 77 without
openvino or NumPy.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).parents[2] / "core" / "graph" / "port_forms.cpp"
ROW = re.compile(r'\{"(\w+)", (\d+), "(\w+)", (\w+), (\w+)(, kConstant)?\}')
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
TYPES = {"kIndex": ("i32", "i64"), "kStrictIndex": ("i32", "i64"), "kInteger": INTEGERS, "kFlag": ("boolean",),
         "kAnyType": ("f32",)}
# The shapes that are tried: without an axis, the sample's own, and with an axis more. Which ranks of
# indices are right depends on the data's.
RANKS = {"scalar": ("[]",), "vector": ("[1]", "[n]"), "single": ("[]", "[1]"),
         "scalar_or_vector": ("[]", "[1]", "[n]"), "any": ("[1]", "[n]")}

F = "f32"
X = (F, (2, 3, 4))
WINDOW = {"strides": [2], "pads_begin": [0], "pads_end": [0], "dilations": [1],
          "output_padding": [0], "auto_pad": "explicit"}
# An op: its opset, inputs and attributes. An input is (type, shape) of data, or a list of integers
# (a number: a scalar).
SAMPLES = {
    "Broadcast": (3, [(F, (3,)), [3], [0]], {"mode": "explicit"}),
    "Col2Im": (15, [(F, (2, 6, 6)), [3, 3], [2, 1]],
               {"strides": [1, 1], "dilations": [1, 1], "pads_begin": [0, 0], "pads_end": [0, 0]}),
    "ConvolutionBackpropData": (1, [(F, (2, 3, 9)), (F, (3, 4, 3)), [19]], WINDOW),
    "CumSum": (3, [X, 1], {"exclusive": False, "reverse": False}),
    "DFT": (7, [(F, (3, 12, 2)), [1], [8]], {}),
    "Gather": (8, [X, [1, 0], 1], {"batch_dims": 0}),
    "GatherElements": (6, [(F, (2,)), [1, 0]], {"axis": 0}),
    "GatherND": (8, [X, [1, 0]], {"batch_dims": 0}),
    "GroupConvolutionBackpropData": (1, [(F, (2, 6, 9)), (F, (2, 3, 4, 3)), [19]], WINDOW),
    "IDFT": (7, [(F, (3, 12, 2)), [1], [8]], {}),
    "IRDFT": (9, [(F, (3, 12, 2)), [1], [8]], {}),
    "Interpolate": (11, [X, (F, (1,)), [2]],
                    {"mode": "nearest", "shape_calculation_mode": "scales",
                     "coordinate_transformation_mode": "asymmetric"}),
    "MVN": (6, [X, [2]], {"normalize_variance": True, "eps": 0.1, "eps_mode": "inside_sqrt"}),
    "NonMaxSuppression": (9, [(F, (1, 5, 4)), (F, (1, 1, 5)), 2, (F, ()), (F, ())], {}),
    "Pad": (12, [(F, (4,)), [1], [2], (F, ())], {"pad_mode": "constant"}),
    "ROIAlign": (9, [(F, (2, 3, 4, 5)), (F, (2, 4)), [0, 1]],
                 {"pooled_h": 2, "pooled_w": 2, "sampling_ratio": 2, "spatial_scale": 1.0,
                  "mode": "avg", "aligned_mode": "half_pixel"}),
    "RandomUniform": (8, [[2], -1.0, 2.0],
                      {"output_type": F, "global_seed": 0, "op_seed": 3}),
    "RDFT": (9, [(F, (3, 12)), [1], [8]], {}),
    "Range": (4, [(F, ()), (F, ()), (F, ())], {"output_type": F}),
    "Reduce": (4, [X, [1]], {"keep_dims": True}),
    "Reshape": (1, [X, [24]], {"special_zero": False}),
    "ReverseSequence": (1, [X, [3, 2]], {"batch_axis": 0, "seq_axis": 1}),
    "Roll": (7, [X, [1], [0]], {}),
    "STFT": (15, [(F, (2, 30)), (F, (8,)), 8, 5], {"transpose_frames": False}),
    "ScatterElementsUpdate": (12, [(F, (2,)), [1, 0], (F, (2,)), 0],
                              {"reduction": "none", "use_init_val": True}),
    "ScatterNDUpdate": (15, [(F, (3,)), [1], (F, ())], {"reduction": "none"}),
    "Slice": (8, [X, [0], [2], [1], [1]], {}),
    "Split": (1, [X, 0], {"num_splits": 2}),
    "Squeeze": (1, [(F, (1, 1, 4)), [0]], {}),
    "StridedSlice": (1, [X, [0], [2], [1]],
                     {"begin_mask": [0], "end_mask": [0], "new_axis_mask": [],
                      "shrink_axis_mask": [], "ellipsis_mask": []}),
    "Tile": (1, [X, [2]], {}),
    "TopK": (11, [X, 2], {"axis": 1, "mode": "max", "sort": "value", "index_element_type": "i32",
                          "stable": True}),
    "Transpose": (1, [(F, (2,)), [0]], {}),
    "Unique": (10, [X, 1], {"sorted": True, "index_element_type": "i64",
                            "count_element_type": "i64"}),
    "Unsqueeze": (1, [X, [0]], {}),
    "VariadicSplit": (1, [X, 1, [3]], {}),
}
CELL = {"hidden_size": 5, "direction": "forward", "activations_alpha": [], "activations_beta": [], "clip": 0.0}
for _name, _gates, _states, _functions in (("GRUSequence", 3, 1, ["sigmoid", "tanh"]),
                                           ("LSTMSequence", 4, 2, ["sigmoid", "tanh", "tanh"]),
                                           ("RNNSequence", 1, 1, ["tanh"])):
    _rows = _gates * 5
    SAMPLES[_name] = (5, [(F, (2, 3, 4))] + [(F, (2, 1, 5))] * _states + [[3, 2]] +
                      [(F, (1, _rows, 4)), (F, (1, _rows, 5)), (F, (1, _rows))],
                      CELL | {"activations": _functions})
UNCHECKED = ("If", "Loop", "CumProd")  # made with bodies, or an op of Rondo's own


def rows():
    for op, number, name, rank, kind, constant in ROW.findall(TABLE.read_text(encoding="utf-8")):
        yield Row(op, int(number), name, rank, kind, bool(constant))


@dataclasses.dataclass
class Row:
    op: str
    port: int
    name: str
    rank: str
    kind: str
    is_constant: bool

    @property
    def sample(self):
        return SAMPLES["Reduce" if self.op.startswith("Reduce") else self.op]


class Prober:
    def __init__(self):
        import numpy
        import openvino
        from openvino.utils.node_factory import NodeFactory

        self.numpy, self.ov = numpy, openvino
        self.core, self.factory = openvino.Core(), NodeFactory

    def array(self, value, kind):
        names = {"f32": "float32", "boolean": "bool"}
        return self.numpy.array(value, names.get(kind, kind.replace("i", "int").replace("u", "uint")))

    def inputs(self, row, value, kind, is_run):
        """The op's inputs, and the arrays of those that are parameters. The other integers get the
        same type, if it is one that OpenVINO may take."""
        others = kind if kind in ("i32", "i64") else "i64"
        arrays = []
        for number, given in enumerate(row.sample[1]):
            is_data = isinstance(given, tuple)
            if number == row.port:
                arrays.append(self.array(value, kind))
            elif is_data:
                is_logical = number == 0 and "Logical" in row.op
                arrays.append(self.array(self.numpy.ones(given[1]),
                                         "boolean" if is_logical else "f32"))
            else:
                arrays.append(self.array(given, "f32" if isinstance(given, float) else others))
        made, feeds = [], {}
        for number, array in enumerate(arrays):
            is_parameter = is_run if number == row.port else (
                number == 0 and isinstance(row.sample[1][0], tuple))
            if is_parameter:
                made.append(self.ov.opset13.parameter(array.shape, array.dtype.type))
                feeds[made[-1]] = array
            else:
                made.append(self.ov.opset13.constant(array))
        return made, feeds

    def refusal(self, row, value, kind, is_run=False):
        """Why OpenVINO refuses the form; empty where it doesn't."""
        opset, _, attributes = row.sample
        try:
            made, feeds = self.inputs(row, value, kind, is_run)
            node = self.factory(f"opset{opset}").create(row.op, [one.output(0) for one in made],
                                                        attributes)
            model = self.ov.Model([node.output(i) for i in range(node.get_output_size())],
                                  list(feeds), "probe")
            request = self.core.compile_model(model, "CPU").create_infer_request()
            request.infer(list(feeds.values()))
        except Exception as error:  # whatever it throws
            return " ".join(str(error).split())[-160:]
        return ""

    def forms(self, row):
        """(its name, elements) of each shape to try."""
        given = row.sample[1][row.port]
        is_data = isinstance(given, tuple)
        flat = self.numpy.ones(1) if is_data else self.numpy.atleast_1d(given)
        yield "[]", flat[0]
        yield "[1]" if len(flat) == 1 else "[n]", flat
        yield "[1,n]", flat[None]


def check(prober, row, is_verbose):
    faults = 0
    for shape, value in prober.forms(row):
        for kind in INTEGERS + ("f32", "boolean"):
            allowed = shape in RANKS[row.rank] and kind in TYPES[row.kind]
            form = f"{row.op} {row.name} {kind}{shape}"
            why = prober.refusal(row, value, kind)
            if allowed and why:
                print(f"{form}: the table allows it, OpenVINO refuses: {why}")
                faults += 1
            elif is_verbose and not allowed and not why:
                print(f"{form}: OpenVINO takes it")
            if not allowed or row.is_constant or kind not in ("i32", "i64", "f32"):
                continue
            if why := prober.refusal(row, value, kind, is_run=True):
                print(f"{form} of the run: the table allows it, OpenVINO refuses: {why}")
                faults += 1
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    try:
        prober = Prober()
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    found = [row for row in rows() if row.op not in UNCHECKED]
    faults = sum(check(prober, row, options.verbose) for row in found)
    print(f"OpenVINO {prober.ov.__version__}: {len(found)} rows, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
