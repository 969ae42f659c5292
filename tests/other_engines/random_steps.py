#!/usr/bin/env python3
"""Random recurrent networks whose steps a script writes out, exported by PyTorch and compared with
onnxruntime: cells or layers, one to three of them, with more around them in each step, in any order,
with states from outside or zeros, of which single steps may be read. Cells may be arithmetic whose
gates lie in a tensor in any order.

Usage: random_steps.py [--rondo DIR] [--keep DIR] FIRST COUNT
Needs torch and onnxruntime; --rondo is the folder that holds the package rondo, as
build/release/python. Each network runs at three batch sizes, or the only one, twice each. --keep
keeps the files of those that differ.
Exit code: 0 if every network is read and right, else 1.
"""

import argparse
import collections
import pathlib
import random
import sys
import tempfile
import warnings

import numpy
import onnxruntime
import torch
from torch import nn

TOLERANCE = 2e-5
IDS = 9
LAYOUTS = ("chunk", "rows", "columns", "strided", "turned", "einsum", "einsum_first", "batch")


class MatchedCell(nn.Module):
    """The arithmetic of an LSTM or GRU cell."""

    def __init__(self, width, hidden, layout, has_c):
        super().__init__()
        self.gates, self.hidden, self.layout, self.has_c = 4 if has_c else 3, hidden, layout, has_c
        rows = self.gates * hidden
        self.w, self.r = (nn.Parameter(torch.randn(rows, size) / 2) for size in (width, hidden))
        self.b = nn.Parameter(torch.randn(rows) / 2)

    def products(self, value, weights):
        """Of all gates, in the cell's layout."""
        by_gate = weights.view(self.gates, self.hidden, -1)
        if self.layout == "batch":
            return value @ by_gate.transpose(1, 2)
        if self.layout.startswith("einsum"):
            order = "gbh" if self.layout == "einsum_first" else "bgh"
            return torch.einsum(f"bi,ghi->{order}", value, by_gate)
        flat = value @ weights.t()
        if self.layout == "columns":
            return flat.view(-1, self.hidden, self.gates)
        if self.layout in ("rows", "turned"):
            rows = flat.view(-1, self.gates, self.hidden)
            return rows.permute(1, 0, 2) if self.layout == "turned" else rows
        return flat

    def bias(self):
        shapes = {"columns": (self.hidden, self.gates), "rows": (self.gates, self.hidden),
                  "einsum": (self.gates, self.hidden), "chunk": (-1,), "strided": (-1,)}
        return self.b.view(shapes.get(self.layout, (self.gates, 1, self.hidden)))

    def cut(self, gates):
        if self.layout == "chunk":
            return gates.chunk(self.gates, -1)
        if self.layout == "strided":
            return [gates[:, i::self.gates] for i in range(self.gates)]
        axis = {"columns": -1, "rows": 1, "einsum": 1}.get(self.layout, 0)
        return gates.unbind(axis)

    def forward(self, x, state):
        h = state[0] if self.has_c else state
        from_x, from_h = self.products(x, self.w) + self.bias(), self.products(h, self.r)
        if self.has_c:
            i, f, g, o = self.cut(from_x + from_h)
            c = torch.sigmoid(f) * state[1] + torch.sigmoid(i) * torch.tanh(g)
            return torch.sigmoid(o) * torch.tanh(c), c
        (zx, rx, nx), (zh, rh, nh) = self.cut(from_x), self.cut(from_h)
        z, n = torch.sigmoid(zx + zh), torch.tanh(nx + torch.sigmoid(rx + rh) * nh)
        return (1 - z) * n + z * h


def kinds(draw):
    """The constructors of layers and cells by name."""
    layout = draw.choice(LAYOUTS)
    return {"lstm_cell": nn.LSTMCell, "gru_cell": nn.GRUCell, "rnn_cell": nn.RNNCell,
            "lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN,
            "lstm_written_cell": lambda width, size: MatchedCell(width, size, layout, True),
            "gru_written_cell": lambda width, size: MatchedCell(width, size, layout, False)}


class Steps(nn.Module):
    def __init__(self, draw):
        super().__init__()
        self.size, self.hidden = draw.choice((3, 4)), draw.choice((3, 4, 8))
        self.steps, self.layers = draw.choice((2, 3, 4, 6)), draw.choice((1, 1, 2, 3))
        all_kinds = kinds(draw)
        self.kind = draw.choice(list(all_kinds))
        self.adds_input = draw.random() < 0.3
        self.is_layer, self.has_c = not self.kind.endswith("cell"), self.kind.startswith("lstm")
        self.before = draw.choice(("", "", "linear", "relu", "ids", "norm", "scale", "two"))
        width = self.size if self.before in ("", "norm", "scale") else draw.choice((self.size, 5))
        self.linear, self.second = nn.Linear(self.size, width), nn.Linear(width, width)
        self.table, self.norm = nn.Embedding(IDS, width), nn.LayerNorm(self.size)
        self.batch_first, self.time_first = draw.random() < 0.5, draw.random() < 0.4
        if self.is_layer:
            self.cell = all_kinds[self.kind](width, self.hidden, self.layers,
                                             batch_first=self.batch_first)
        else:
            self.cell = nn.ModuleList(
                all_kinds[self.kind](width if i == 0 else self.hidden, self.hidden)
                for i in range(self.layers))
        self.after = draw.choice(("", "", "linear", "softmax", "tanh"))
        self.out = nn.Linear(self.hidden, 3)
        self.context = nn.Linear(self.hidden, width) if draw.random() < 0.15 else None
        self.reverse, self.given = draw.random() < 0.3, draw.random() < 0.5
        self.join = draw.choice(("stack", "cat", "last", "list", "sum"))
        self.read = draw.randrange(self.steps) if draw.random() < 0.3 else None
        self.gives_state = draw.random() < 0.2

    def prepared(self, x):
        if self.before == "two":
            return self.second(torch.tanh(self.linear(x)))
        if self.before == "relu":
            return torch.relu(self.linear(x))
        parts = {"linear": self.linear, "ids": self.table, "norm": self.norm,
                 "scale": lambda value: value * 1.7 - 0.2}
        return parts[self.before](x) if self.before else x

    def step(self, x, state):
        if self.is_layer:
            y, state = self.cell(x.unsqueeze(1 if self.batch_first else 0), state)
            return y.squeeze(1 if self.batch_first else 0), state
        after = []
        for cell, before in zip(self.cell, state):
            after.append(cell(x, before))
            y = after[-1][0] if self.has_c else after[-1]
            x = x + y if self.adds_input and x.shape[-1] == self.hidden else y
        return x, after

    def first_state(self, x, given):
        if not self.given:
            zeros = torch.zeros(self.layers, x.shape[1 if self.time_first else 0], self.hidden)
            given = (zeros, zeros) if self.has_c else (zeros,)
        if self.is_layer:
            return given if self.has_c else given[0]
        if self.has_c:
            return [(given[0][i], given[1][i]) for i in range(self.layers)]
        return [given[0][i] for i in range(self.layers)]

    def forward(self, x, *given):
        state, h, steps = self.first_state(x, given), None, []
        order = range(self.steps)
        for t in reversed(order) if self.reverse else order:
            value = self.prepared(x[t] if self.time_first else x[:, t])
            if self.context is not None and h is not None:
                value = value + self.context(h)
            h, state = self.step(value, state)
            y = torch.tanh(h) if self.after == "tanh" else h
            y = self.out(h) if self.after in ("linear", "softmax") else y
            steps.append(torch.softmax(y, -1) if self.after == "softmax" else y)
        return self.outputs(steps, state)

    def outputs(self, steps, state):
        joined = {"stack": lambda: [torch.stack(steps, 0 if self.time_first else 1)],
                  "cat": lambda: [torch.cat(steps, -1)], "last": lambda: [steps[-1]],
                  "sum": lambda: [sum(steps)], "list": lambda: [step * 1.5 for step in steps]}
        outputs = joined[self.join]()
        if self.read is not None:
            outputs.append(steps[self.read] * 2)
        if self.gives_state:
            last = state if self.is_layer else state[-1]
            outputs.append(last[0] if self.has_c else last)
        return tuple(outputs)


def export(network, draw, path):
    """Writes the network; whether its batch is open."""
    batch = draw.choice((1, 2, 3, 4))
    shape = (network.steps, batch) if network.time_first else (batch, network.steps)
    ids = network.before == "ids"
    x = torch.randint(0, IDS, shape) if ids else torch.randn(*shape, network.size)
    states = 0 if not network.given else 2 if network.has_c else 1
    values = (x, *(torch.randn(network.layers, batch, network.hidden) for _ in range(states)))
    names = ["x", "h", "c"][:len(values)]
    axes = {name: {1 if name != "x" or network.time_first else 0: "batch"} for name in names}
    is_open = draw.random() < 0.6
    torch.onnx.export(network, values, path, dynamo=False, opset_version=draw.choice((13, 17)),
                      input_names=names, dynamic_axes=axes if is_open else {})
    return is_open


def difference(path, is_open, seed):
    """What differs from onnxruntime; empty if nothing does."""
    import rondo

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    compiled = rondo.Core().compile_model(path, "CPU")
    rng = numpy.random.default_rng(seed)
    for batch in (1, 3, 2) if is_open else (1,):
        feeds = {}
        for port in session.get_inputs():
            shape = [extent if isinstance(extent, int) else batch for extent in port.shape]
            feeds[port.name] = (rng.integers(0, IDS, shape) if "int64" in port.type
                                else rng.standard_normal(shape).astype("f4"))
        expected = session.run(None, feeds)
        for _ in range(2):
            results = compiled(feeds)
            for index, want in enumerate(expected):
                got = results[index]
                if got.shape != want.shape or not numpy.allclose(got, want, 1e-4, TOLERANCE):
                    return f"batch {batch}: output {index} of shape {got.shape} differs"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rondo", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    if options.rondo:
        sys.path.insert(0, str(options.rondo.resolve()))
    warnings.filterwarnings("ignore")
    onnxruntime.set_default_logger_severity(3)
    counts = collections.Counter()
    for seed in range(options.first, options.first + options.count):
        draw = random.Random(seed)
        torch.manual_seed(seed)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / f"steps_{seed}.onnx"
            is_open = export(Steps(draw).eval(), draw, str(path))
            try:
                why = difference(str(path), is_open, seed)
            except Exception as error:
                why = str(error).splitlines()[0]
            counts["wrong or refused" if why else "right"] += 1
            if why:
                print(f"{seed}: {why}", flush=True)
            if why and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                path.rename(options.keep / path.name)
    print(dict(counts))
    return 1 if counts["wrong or refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
