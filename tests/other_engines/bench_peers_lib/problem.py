"""A subject made concrete: the ONNX model, its inputs, and what its outputs may differ by."""

import dataclasses
import json
import pathlib

import numpy as np

from bench_peers_lib import cases, loop_models, onnx_writer

SEED = 1


@dataclasses.dataclass
class Problem:
    subject: object
    model: bytes
    inputs: dict    # name -> array, in the model's order
    tolerance: float
    weights: list   # of a layer: (W, R, B) each, ONNX's shapes; empty for others


def layer_weights(layer, random):
    """(W [D,G*H,I], R [D,G*H,H], B [D,2*G*H]) of each layer, as PyTorch would start them."""
    rows, bound = cases.GATES[layer.cell] * layer.hidden, layer.hidden ** -0.5

    def uniform(*shape):
        return random.uniform(-bound, bound, shape).astype(np.float32)

    count = layer.directions
    return [(uniform(count, rows, layer.input_size(index)), uniform(count, rows, layer.hidden),
             uniform(count, 2 * rows)) for index in range(layer.layers)]


class LayerWriter:
    """Builds the nodes of a stack of layers: X [T,N,I] -> Y [T,D,N,H] and the final states."""

    def __init__(self, layer, weights):
        self.layer = layer
        self.nodes, self.constants, self.outputs = [], {}, []
        source = "X"
        for index, (w, r, b) in enumerate(weights):
            if index > 0:
                source = self.join_directions(f"Y{index - 1}", index)
            self.add_layer(source, index, {"W": w, "R": r, "B": b})

    def add_layer(self, source, index, constants):
        self.constants.update((f"{name}{index}", array) for name, array in constants.items())
        inputs = [source, *(f"{name}{index}" for name in constants)]
        if self.layer.lengths != "full":
            inputs.append("lengths")
        states = ["Y", "Y_h"] + (["Y_c"] if self.layer.cell == "lstm" else [])
        kind = "LSTM" if self.layer.cell == "lstm" else "GRU"
        extra = {} if kind == "LSTM" else {"linear_before_reset": int(self.layer.cell == "gru")}
        self.nodes.append(onnx_writer.node(
            kind, inputs, [f"{name}{index}" for name in states], hidden_size=self.layer.hidden,
            direction="bidirectional" if self.layer.directions == 2 else "forward", **extra))
        self.outputs = [f"{name}{index}" for name in states]

    def join_directions(self, source, index):
        """Y [T,D,N,H] -> [T,N,D*H], the way exporters write it."""
        self.constants["joined"] = np.array([0, 0, -1], np.int64)
        self.nodes.append(onnx_writer.node("Transpose", [source], [f"turned{index}"],
                                           perm=[0, 2, 1, 3]))
        self.nodes.append(onnx_writer.node("Reshape", [f"turned{index}", "joined"],
                                           [f"X{index}"]))
        return f"X{index}"

    def output_infos(self):
        layer = self.layer
        state = (layer.directions, layer.batch, layer.hidden)
        return [(name, np.float32, (layer.time, *state) if name.startswith("Y") and
                 "_" not in name else state) for name in self.outputs]


def make_layer_problem(layer):
    random = np.random.default_rng(SEED)
    weights = layer_weights(layer, random)
    x = random.standard_normal((layer.time, layer.batch, layer.hidden)).astype(np.float32)
    inputs = {"X": x}
    if layer.lengths != "full":
        inputs["lengths"] = np.array(layer.row_lengths(), np.int32)
    writer = LayerWriter(layer, weights)
    infos = [(name, array.dtype, array.shape) for name, array in inputs.items()]
    model = onnx_writer.model(writer.nodes, writer.constants, infos, writer.output_infos())
    return Problem(layer, model, inputs, 2e-4, weights)


def make_loop_problem(subject):
    random = np.random.default_rng(SEED)
    shape = (subject.time, subject.batch, subject.hidden)
    x = random.standard_normal(shape).astype(np.float32)
    # Rounding grows from step to step where a small state is normalised.
    return Problem(subject, loop_models.write(subject, random), {"X": x}, 2e-3, [])


def find_models(folder):
    """A RealModel for each reference case of each model below `folder`, equal shapes once."""
    found = []
    for manifest in sorted(pathlib.Path(folder).glob("*/ref/manifest.json")):
        seen = set()
        for index, case in enumerate(json.loads(manifest.read_text())["cases"]):
            shapes = str([entry["shape"] for entry in case["inputs"].values()])
            if shapes not in seen:
                seen.add(shapes)
                found.append(cases.RealModel(manifest.parent.parent.name, index))
    return found


def make_model_problem(subject, folder):
    place = pathlib.Path(folder) / subject.name
    manifest = json.loads((place / "ref" / "manifest.json").read_text())
    entries = manifest["cases"][subject.case]["inputs"]
    inputs = {name: np.load(place / "ref" / entry["file"]) for name, entry in entries.items()}
    # Models that compute in 8 or 16 bits say how far a right answer may be from the reference's.
    tolerance = max(2e-3, 2 * manifest.get("loose_atol", 0))
    return Problem(subject, (place / "model.onnx").read_bytes(), inputs, tolerance, [])


def make_problem(subject, models_folder):
    if isinstance(subject, cases.RealModel):
        return make_model_problem(subject, models_folder)
    if isinstance(subject, cases.Loop):
        return make_loop_problem(subject)
    return make_layer_problem(subject)
