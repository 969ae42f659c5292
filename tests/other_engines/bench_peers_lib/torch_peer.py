"""PyTorch in inference mode, as written or traced and frozen: whichever is faster here."""

import warnings

import numpy as np
import torch

from bench_peers_lib import ways

NAME = "torch"
# ONNX's gates in PyTorch's order: LSTM iofc -> ifgo, GRU zrh -> rzn.
GATE_ORDER = {"lstm": (0, 2, 3, 1), "gru": (1, 0, 2)}


def version():
    return torch.__version__.split("+")[0]


def reordered(array, cell):
    """Rows of `array` [G*H, ...], gate by gate in PyTorch's order."""
    order = GATE_ORDER[cell]
    gates = np.split(array, len(order))
    return torch.from_numpy(np.concatenate([gates[gate] for gate in order]))


def make_module(layer, weights):
    if layer.cell == "gru0":
        raise NotImplementedError("torch.nn.GRU is linear_before_reset=1 alone")
    kind = torch.nn.LSTM if layer.cell == "lstm" else torch.nn.GRU
    module = kind(layer.hidden, layer.hidden, layer.layers, bidirectional=layer.directions == 2)
    for index, (w, r, b) in enumerate(weights):
        for direction in range(layer.directions):
            suffix = f"_l{index}" + ("_reverse" if direction else "")
            b_input, b_hidden = np.split(b[direction], 2)
            for name, array in (("weight_ih", w[direction]), ("weight_hh", r[direction]),
                                ("bias_ih", b_input), ("bias_hh", b_hidden)):
                getattr(module, name + suffix).data = reordered(array, layer.cell)
    module.flatten_parameters()
    return module.eval()


class Padded(torch.nn.Module):
    """Rows of uneven length: packed on the way in, padded on the way out."""

    def __init__(self, module, lengths):
        super().__init__()
        self.module = module
        self.lengths = torch.from_numpy(lengths.astype(np.int64))

    def forward(self, x):
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, self.lengths, enforce_sorted=False)
        y, states = self.module(packed)
        return torch.nn.utils.rnn.pad_packed_sequence(y, total_length=x.shape[0])[0], states


def traced(module, x):
    """None where this torch can't trace it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tracing is deprecated
        try:
            return torch.jit.freeze(torch.jit.trace(module, (x,)))
        except RuntimeError:
            return None


class Session:
    def __init__(self, problem, threads, weights):
        assert weights == "f32", weights
        self.layer, self.threads = problem.subject, threads
        if not problem.weights:
            raise NotImplementedError("reads no ONNX")
        self.x = torch.from_numpy(problem.inputs["X"])
        module = make_module(self.layer, problem.weights)
        if "lengths" in problem.inputs:
            module = Padded(module, problem.inputs["lengths"])
        self.activate()
        with torch.inference_mode():
            modules = [one for one in (module, traced(module, self.x)) if one is not None]
        self.run = ways.fastest([self.caller(one) for one in modules])

    def activate(self):
        torch.set_num_threads(self.threads)  # of the whole process, so before each round

    def caller(self, module):
        def run():
            with torch.inference_mode():
                return module(self.x)
        return run

    def outputs(self):
        """As ONNX has them: Y [T,D,N,H] and the final states of the last layer."""
        layer = self.layer
        y, states = self.run()
        y = y.numpy().reshape(layer.time, layer.batch, layer.directions, layer.hidden)
        states = states if isinstance(states, tuple) else (states,)
        return [y.transpose(0, 2, 1, 3),
                *(state.numpy()[-layer.directions:].copy() for state in states)]
