"""Steps of recurrent networks that a script writes out: layers called for one step after another,
cells with more around them, and single steps."""

import torch
from torch import nn

from exporter_corpus_lib.case import Feed
from exporter_corpus_lib.torch_cells import HIDDEN, INPUT
from exporter_corpus_lib.torch_models import Spelling, rows


class CalledLayer(nn.Module):
    """A layer that is called for one step after another."""

    def __init__(self, kind, count):
        super().__init__()
        self.layer = kind(INPUT, HIDDEN, count, batch_first=True)
        self.has_c, self.count = kind is nn.LSTM, count

    def forward(self, x):
        zeros = x.new_zeros(self.count, x.shape[0], HIDDEN)
        state = (zeros, zeros) if self.has_c else zeros
        steps = []
        for t in range(x.shape[1]):
            y, state = self.layer(x[:, t:t + 1], state)
            steps.append(y)
        return torch.cat(steps, 1), state[1] if self.has_c else state


class Decorated(nn.Module):
    """Cells in a loop that does more to their input and output in each step."""

    def __init__(self, kind, before):
        super().__init__()
        width = INPUT if before == "norm" else 6
        self.cell = kind(width, HIDDEN)
        self.before = {"linear": nn.Linear(INPUT, 6), "norm": nn.LayerNorm(INPUT),
                       "prenet": nn.Sequential(nn.Linear(INPUT, 6), nn.ReLU())}[before]
        self.out = nn.Linear(HIDDEN, 3)
        self.has_c = kind is nn.LSTMCell

    def forward(self, x):
        h = x.new_zeros(x.shape[0], HIDDEN)
        c = h
        steps = []
        for t in range(x.shape[1]):
            v = self.before(x[:, t])
            if self.has_c:
                h, c = self.cell(v, (h, c))
            else:
                h = self.cell(v, h)
            steps.append(torch.softmax(self.out(h), -1))
        return torch.stack(steps, 1)


class SingleStep(nn.Module):
    """One step of a cell, whose states come and go."""

    def __init__(self, kind):
        super().__init__()
        self.cell, self.out = kind(INPUT, HIDDEN), nn.Linear(HIDDEN, 3)
        self.has_c = kind is nn.LSTMCell

    def forward(self, x, *states):
        if self.has_c:
            h, c = self.cell(x, states)
            return self.out(h), h, c
        h = self.cell(x, states[0])
        return self.out(h), h


CELLS = {"lstm": nn.LSTMCell, "gru": nn.GRUCell, "rnn": nn.RNNCell}
OPEN_BATCH = {"x": {0: "batch"}}


def called_layers():
    for name, kind in (("lstm", nn.LSTM), ("gru", nn.GRU), ("rnn", nn.RNN)):
        for count in (1, 2):
            yield Spelling(f"called_{name}_{count}l", "layers called step by step",
                           CalledLayer(kind, count), rows, OPEN_BATCH)


def decorated_cells():
    for name, kind in CELLS.items():
        for before in ("linear", "norm", "prenet"):
            yield Spelling(f"decorated_{name}_{before}", "cells with more in each step",
                           Decorated(kind, before), rows, OPEN_BATCH)


def single_steps():
    for name, kind in CELLS.items():
        states = ["h", "c"] if name == "lstm" else ["h"]

        def feeds(batch, _, states=states):
            return ([Feed("x", (batch, INPUT))] +
                    [Feed(state, (batch, HIDDEN)) for state in states])

        axes = OPEN_BATCH | {state: {0: "batch"} for state in states}
        yield Spelling(f"step_{name}", "single steps", SingleStep(kind), feeds, axes)


def step_spellings():
    for family in (called_layers, decorated_cells, single_steps):
        yield from family()
