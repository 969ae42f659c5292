"""PyTorch's modules: layers, loops over cells, cells of one's own and small applications."""

import dataclasses
import itertools
import typing

import torch
from torch import nn
from torch.nn import functional

from exporter_corpus_lib.case import Feed
from exporter_corpus_lib.torch_cells import (ClassicGru, CoupledLstm, HardLstm, JoinedLstm, MinimalGru,
                                             NormalizedLstm, PeepholeLstm, SeparateLstm)
from exporter_corpus_lib.torch_cells import HIDDEN, INPUT


@dataclasses.dataclass
class Spelling:
    """`feeds(batch, time)` are the module's arguments in order; `axes`: which of each are open."""

    name: str
    family: str
    module: nn.Module
    feeds: typing.Callable
    axes: dict = dataclasses.field(default_factory=dict)
    scripted: bool = False
    scripted_only: bool = False  # the newer exporter has no packed sequences, nor scripts
    time: int = 7


def batch_first_axes(name="x"):
    return {name: {0: "batch", 1: "time"}}


def rows(batch, time):
    return [Feed("x", (batch, time, INPUT))]


def time_rows(batch, time):
    return [Feed("x", (time, batch, INPUT))]


class LastOf(nn.Module):
    """All of a layer's outputs, as a flat tuple."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x, *states):
        given = states[0] if len(states) == 1 else states
        y, last = self.layer(x, given) if states else self.layer(x)
        return (y, *last) if isinstance(last, tuple) else (y, last)


def layer_of(kind, **options):
    if kind == "rnn_relu":
        return nn.RNN(INPUT, HIDDEN, nonlinearity="relu", **options)
    return {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}[kind](INPUT, HIDDEN, **options)


def layers():
    flags = itertools.product(("lstm", "gru", "rnn", "rnn_relu"), (1, 2), (False, True),
                              (False, True), (True, False))
    for kind, count, both, first, bias in flags:
        layer = layer_of(kind, num_layers=count, bidirectional=both, batch_first=first, bias=bias)
        words = [kind, f"{count}l"] + ["bi"] * both + ["bf"] * first + ["nobias"] * (not bias)
        axes = batch_first_axes() if first else {"x": {0: "time", 1: "batch"}}
        yield Spelling("_".join(words), "layer", LastOf(layer), rows if first else time_rows, axes)


def layers_with_states():
    for kind, both in itertools.product(("lstm", "gru", "rnn"), (False, True)):
        layer = layer_of(kind, num_layers=2, bidirectional=both, batch_first=True)
        names = ["h", "c"] if kind == "lstm" else ["h"]

        def feeds(batch, time, names=names, both=both):
            states = [Feed(name, (2 * (1 + both), batch, HIDDEN)) for name in names]
            return rows(batch, time) + states

        axes = batch_first_axes() | {name: {1: "batch"} for name in names}
        name = f"{kind}_states" + "_bi" * both
        yield Spelling(name, "layer with states", LastOf(layer), feeds, axes)


class Packed(nn.Module):
    def __init__(self, layer, is_sorted):
        super().__init__()
        self.layer, self.is_sorted = layer, is_sorted

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True,
                                                   enforce_sorted=self.is_sorted)
        y, _ = self.layer(packed)
        return nn.utils.rnn.pad_packed_sequence(y, batch_first=True)[0]


def packed_sequences():
    for kind, both, is_sorted in itertools.product(("lstm", "gru"), (False, True), (True, False)):
        def feeds(batch, time):
            return rows(batch, time) + [Feed("lengths", (batch,), "int64", time, True)]

        layer = layer_of(kind, bidirectional=both, batch_first=True)
        name = f"packed_{kind}" + "_bi" * both + "_sorted" * is_sorted
        axes = batch_first_axes() | {"lengths": {0: "batch"}}
        yield Spelling(name, "packed", Packed(layer, is_sorted), feeds, axes, scripted_only=True)


class CellLoop(nn.Module):
    """A loop over time that the exporter writes out, step by step."""

    def __init__(self, cell, has_c=False, stacks=True):
        super().__init__()
        self.cell, self.has_c, self.stacks = cell, has_c, stacks

    def forward(self, x):
        h = x.new_zeros(x.shape[0], HIDDEN)
        c = x.new_zeros(x.shape[0], HIDDEN)
        steps = []
        for t in range(x.shape[1]):
            if self.has_c:
                h, c = self.cell(x[:, t], (h, c))
            else:
                h = self.cell(x[:, t], h)
            steps.append(h)
        return torch.stack(steps, 1) if self.stacks else h


class ScriptedLoop(nn.Module):
    """A loop over time that stays one."""

    def __init__(self, kind: str):
        super().__init__()
        self.cell = {"lstm": nn.LSTMCell, "gru": nn.GRUCell, "rnn": nn.RNNCell}[kind](INPUT, HIDDEN)


class ScriptedLstm(ScriptedLoop):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.zeros(x.size(0), 8)
        c = torch.zeros(x.size(0), 8)
        steps: typing.List[torch.Tensor] = []
        for t in range(x.size(1)):
            h, c = self.cell(x[:, t], (h, c))
            steps.append(h)
        return torch.stack(steps, 1)


class ScriptedGru(ScriptedLoop):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.zeros(x.size(0), 8)
        steps: typing.List[torch.Tensor] = []
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            steps.append(h)
        return torch.stack(steps, 1)


def cell_loops():
    cells = {"lstmcell": (nn.LSTMCell(INPUT, HIDDEN), True),
             "lstmcell_nobias": (nn.LSTMCell(INPUT, HIDDEN, bias=False), True),
             "grucell": (nn.GRUCell(INPUT, HIDDEN), False),
             "rnncell": (nn.RNNCell(INPUT, HIDDEN), False),
             "rnncell_relu": (nn.RNNCell(INPUT, HIDDEN, nonlinearity="relu"), False),
             "joined_lstm": (JoinedLstm(), True), "separate_lstm": (SeparateLstm(), True),
             "normalized_lstm": (NormalizedLstm(), True), "peephole_lstm": (PeepholeLstm(), True),
             "coupled_lstm": (CoupledLstm(), True), "hard_lstm": (HardLstm(), True),
             "minimal_gru": (MinimalGru(), False), "classic_gru": (ClassicGru(), False)}
    for name, (cell, has_c) in cells.items():
        for stacks in (True, False):
            yield Spelling(f"loop_{name}" + "_last" * (not stacks), "written-out cells",
                           CellLoop(cell, has_c, stacks), rows, {"x": {0: "batch"}})


def scripted_loops():
    for name, module in (("lstm", ScriptedLstm("lstm")), ("gru", ScriptedGru("gru")),
                         ("rnn", ScriptedGru("rnn"))):
        yield Spelling(f"scripted_{name}", "scripted loop", module, rows, batch_first_axes(),
                       scripted=True, scripted_only=True)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(30, INPUT)
        self.layer = nn.LSTM(INPUT, HIDDEN, 2, bidirectional=True, batch_first=True, dropout=0.1)
        self.out = nn.Linear(2 * HIDDEN, 4)

    def forward(self, ids):
        y, _ = self.layer(self.embedding(ids))
        return torch.log_softmax(self.out(y), -1)


class TextReader(nn.Module):
    """Convolutions, then columns as steps, as in text recognition."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)))
        self.layer = nn.LSTM(12 * 4, HIDDEN, bidirectional=True)
        self.out = nn.Linear(2 * HIDDEN, 11)

    def forward(self, image):
        y = self.features(image)
        y = y.flatten(1, 2).permute(2, 0, 1)
        return functional.log_softmax(self.out(self.layer(y)[0]), 2)


class SpeechGru(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(INPUT, 12, 5, stride=2, padding=2), nn.GELU(),
                                  nn.Conv1d(12, 12, 3, padding=1, groups=12), nn.SiLU())
        self.norm, self.layer = nn.LayerNorm(12), nn.GRU(12, HIDDEN, 2, batch_first=True)
        self.mask = nn.Sequential(nn.Linear(HIDDEN, INPUT), nn.Sigmoid())

    def forward(self, x):
        y = self.norm(self.conv(x.transpose(1, 2)).transpose(1, 2))
        return self.mask(self.layer(y)[0]).repeat_interleave(2, 1)[:, :x.shape[1]] * x


class Streamed(nn.Module):
    """A chunk, with its states as inputs and outputs."""

    def __init__(self):
        super().__init__()
        self.encoder, self.layer = nn.Linear(INPUT, 6), nn.LSTM(6, HIDDEN)
        self.out = nn.Linear(HIDDEN, 1)

    def forward(self, x, h, c):
        y, (h, c) = self.layer(torch.relu(self.encoder(x)).transpose(0, 1), (h, c))
        return torch.sigmoid(self.out(y[-1])), h, c


class AttentionDecoder(nn.Module):
    """A step: attention over the encoder's outputs, then a GRU cell."""

    def __init__(self):
        super().__init__()
        self.embedding, self.query = nn.Embedding(20, INPUT), nn.Linear(HIDDEN, HIDDEN)
        self.cell, self.out = nn.GRUCell(INPUT + HIDDEN, HIDDEN), nn.Linear(2 * HIDDEN, 20)

    def forward(self, token, h, memory):
        scores = (self.query(h)[:, None] * memory).sum(-1)
        context = torch.bmm(scores.softmax(-1)[:, None], memory)[:, 0]
        h = self.cell(torch.cat([self.embedding(token), context], -1), h)
        return self.out(torch.cat([h, context], -1)), h


class ReversedTwin(nn.Module):
    """Two layers of one direction each, the second over the flipped sequence."""

    def __init__(self):
        super().__init__()
        self.forth, self.back = (nn.GRU(INPUT, HIDDEN, batch_first=True) for _ in range(2))

    def forward(self, x):
        return torch.cat([self.forth(x)[0], self.back(x.flip(1))[0].flip(1)], -1)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.into = nn.Linear(INPUT, HIDDEN)
        self.layers = nn.ModuleList(nn.LSTM(HIDDEN, HIDDEN, batch_first=True) for _ in range(3))
        self.norms = nn.ModuleList(nn.LayerNorm(HIDDEN) for _ in range(3))

    def forward(self, x):
        x = self.into(x)
        for layer, norm in zip(self.layers, self.norms):
            x = x + layer(norm(x))[0]
        return x.mean(1)


def applications():
    def ids(batch, time):
        return [Feed("ids", (batch, time), "int64", 30)]

    def image(batch, time):
        return [Feed("image", (batch, 1, 16, 4 * time))]

    def chunk(batch, time):
        states = [Feed(name, (1, batch, HIDDEN)) for name in ("h", "c")]
        return [Feed("x", (batch, time, INPUT)), *states]

    def step(batch, time):
        return [Feed("token", (batch,), "int64", 20), Feed("h", (batch, HIDDEN)),
                Feed("memory", (batch, time, HIDDEN))]

    yield Spelling("tagger", "application", Tagger(), ids, batch_first_axes("ids"))
    yield Spelling("text_reader", "application", TextReader(), image,
                   {"image": {0: "batch", 3: "width"}})
    yield Spelling("speech_gru", "application", SpeechGru(), rows, batch_first_axes(), time=8)
    yield Spelling("streamed", "application", Streamed(), chunk,
                   batch_first_axes() | {"h": {1: "batch"}, "c": {1: "batch"}})
    yield Spelling("attention_decoder", "application", AttentionDecoder(), step,
                   {"token": {0: "batch"}, "h": {0: "batch"}} | batch_first_axes("memory"))
    yield Spelling("reversed_twin", "application", ReversedTwin(), rows, batch_first_axes())
    yield Spelling("residual", "application", Residual(), rows, batch_first_axes())


def spellings():
    torch.manual_seed(0)
    for family in (layers, layers_with_states, packed_sequences, cell_loops, scripted_loops,
                   applications):
        yield from family()
