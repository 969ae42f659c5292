"""Random nodes of LSTM, GRU and RNN with all of ONNX's attributes, alone in a model."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

FUNCTIONS = {"LSTM": 3, "GRU": 2, "RNN": 1}
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
ACTIVATIONS = {"Affine": (1, 1), "Relu": (0, 0), "LeakyRelu": (1, 0), "ThresholdedRelu": (1, 0),
               "Tanh": (0, 0), "ScaledTanh": (1, 1), "Sigmoid": (0, 0), "HardSigmoid": (1, 1),
               "Elu": (1, 0), "Softsign": (0, 0), "Softplus": (0, 0)}
STANDARD = ("Sigmoid", "Tanh", "Relu")


class RandomModel:
    """The model of a seed: `onnx_model`, `runs` (feeds by name), `pairs` of states that go in and
    come out."""

    def __init__(self, seed):
        self.rng = numpy.random.default_rng(seed)
        self.name = f"random_{seed}"
        self.inputs, self.constants, self.feeds, self.pairs = [], [], {}, {}
        self.draw()
        self.onnx_model = self.model()
        self.runs = [self.feeds_of_run(n, t) for n, t in self.sizes]

    def coin(self, chance=0.5):
        return self.rng.random() < chance

    def draw(self):
        self.op = str(self.rng.choice(list(GATES)))
        self.direction = str(self.rng.choice(["forward", "reverse", "bidirectional"]))
        self.d = 2 if self.direction == "bidirectional" else 1
        self.h = int(self.rng.integers(1, 9))
        self.i = int(self.rng.integers(1, 7))
        self.is_open = self.coin()
        n, t = int(self.rng.integers(1, 4)), int(self.rng.integers(1, 8))
        self.sizes = [(n, t)]
        if self.is_open:
            self.sizes.append((int(self.rng.integers(1, 4)), int(self.rng.integers(1, 8))))
        self.layout = 1 if self.coin(0.1) else 0
        self.draw_attributes()

    def draw_attributes(self):
        self.attributes = {"hidden_size": self.h, "direction": self.direction}
        if self.layout:
            self.attributes["layout"] = 1
        if self.coin(0.5):
            self.draw_activations()
        if self.coin(0.3):
            self.attributes["clip"] = float(self.rng.uniform(0.2, 2))
        if self.op == "GRU" and self.coin():
            self.attributes["linear_before_reset"] = 1
        if self.op == "LSTM" and self.coin(0.25):
            self.attributes["input_forget"] = 1

    def draw_activations(self):
        names, alpha, beta = [], [], []
        known = STANDARD if self.coin(0.3) else list(ACTIVATIONS)
        one_set = [str(self.rng.choice(known)) for _ in range(FUNCTIONS[self.op])]
        for _ in range(self.d):
            if self.coin():
                one_set = [str(self.rng.choice(known)) for _ in range(FUNCTIONS[self.op])]
            names += one_set
        for name in names:
            takes_alpha, takes_beta = ACTIVATIONS[name]
            if takes_alpha:
                alpha.append(float(self.rng.uniform(0.1, 0.9)))
            if takes_beta:
                beta.append(float(self.rng.uniform(-0.3, 0.9)))
        self.attributes["activations"] = names
        if alpha:
            self.attributes["activation_alpha"] = alpha
        if beta:
            self.attributes["activation_beta"] = beta

    def constant(self, name, shape):
        values = self.rng.uniform(-0.8, 0.8, shape).astype("f4")
        self.constants.append(numpy_helper.from_array(values, name))
        return name

        return [{"n": n, "t": t}.get(axis, axis) for axis in batch]

    def add_input(self, name, axes, kind=TensorProto.FLOAT):
        extents = {"n": "N", "t": "T"}
        if not self.is_open:
            extents = dict(zip("nt", self.sizes[0]))
        self.inputs.append(helper.make_tensor_value_info(
            name, kind, [extents.get(axis, axis) for axis in axes]))
        self.feeds[name] = (axes, kind)
        return name

    def state(self, name):
        axes = ["n", self.d, self.h] if self.layout else [self.d, "n", self.h]
        if self.coin(0.4) and not self.is_open:
            return self.constant(name, [self.sizes[0][0] if a == "n" else a for a in axes])
        self.pairs[name] = "Y_c" if name.endswith("c") else "Y_h"
        return self.add_input(name, axes)

    def lengths(self):
        if not self.is_open and self.coin(0.4):
            n, t = self.sizes[0]
            values = self.rng.integers(0, t + 1, n).astype("i4")
            self.constants.append(numpy_helper.from_array(values, "lengths"))
            return "lengths"
        return self.add_input("lengths", ["n"], TensorProto.INT32)

    def node_inputs(self):
        gates = GATES[self.op]
        x = self.add_input("X", ["n", "t", self.i] if self.layout else ["t", "n", self.i])
        names = [x, self.constant("W", (self.d, gates * self.h, self.i)),
                 self.constant("R", (self.d, gates * self.h, self.h))]
        names.append(self.constant("B", (self.d, 2 * gates * self.h)) if self.coin(0.8) else "")
        self.has_lengths = self.coin(0.4)
        names.append(self.lengths() if self.has_lengths else "")
        names.append(self.state("initial_h") if self.coin(0.6) else "")
        self.has_peepholes = False
        if self.op == "LSTM":
            names.append(self.state("initial_c") if self.coin(0.6) else "")
            if self.coin(0.3):
                self.has_peepholes = True
                names.append(self.constant("P", (self.d, 3 * self.h)))
        while not names[-1]:
            names.pop()
        return names

    def model(self):
        inputs = self.node_inputs()
        outputs = ["Y", "Y_h"] + (["Y_c"] if self.op == "LSTM" else [])
        node = helper.make_node(self.op, inputs, outputs, name="layer", **self.attributes)
        values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        graph = helper.make_graph([node], self.name, self.inputs, values, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)

    def feeds_of_run(self, n, t):
        feeds = {}
        for name, (axes, kind) in self.feeds.items():
            shape = [{"n": n, "t": t}.get(axis, axis) for axis in axes]
            if kind == TensorProto.INT32:
                feeds[name] = self.rng.integers(0, t + 1, shape).astype("i4")
            else:
                feeds[name] = self.rng.uniform(-1, 1, shape).astype("f4")
        return feeds

    def save(self, folder):
        path = folder / f"{self.name}.onnx"
        onnx.save(self.onnx_model, path)
        return path
