"""Lists what is measured: layers, the grid of them, and the rows outside of the grid."""

import dataclasses
import itertools

CELLS = ("lstm", "gru", "gru0")  # gru: linear_before_reset=1, as PyTorch's; gru0: =0
CELL_NAMES = {"lstm": "LSTM", "gru": "GRU, lbr=1", "gru0": "GRU, lbr=0"}
GATES = {"lstm": 4, "gru": 3, "gru0": 3}
HIDDEN = (32, 64, 128, 256, 512, 1024)
BATCH = (1, 4, 16, 64)
TIME = (1, 100)
DIRECTIONS = (1, 2)
THREADS = (1, 2)
PEERS = ("onnxruntime", "openvino", "torch")
GROUPS = ("grid", "lengths", "directions", "weights", "stacked", "loops", "models")
LOOP_STEPS = ("layer_norm_lstm", "minimal_gru", "attention_decoder", "selective_scan")


@dataclasses.dataclass(frozen=True)
class Layer:
    """I = H everywhere; a second layer of a stack reads what the first one writes."""
    cell: str
    hidden: int
    batch: int = 1
    time: int = 100
    directions: int = 1
    layers: int = 1
    lengths: str = "full"  # or "uniform": spread evenly over 1..T

    def row_lengths(self):
        """Steps of each row."""
        if self.lengths == "full" or self.batch == 1:
            return [self.time] * self.batch
        return [1 + row * (self.time - 1) // (self.batch - 1) for row in range(self.batch)]

    def input_size(self, index):
        return self.hidden if index == 0 else self.directions * self.hidden


@dataclasses.dataclass(frozen=True)
class Loop:
    """A loop over a step that is no LSTM, GRU or RNN cell; loop_models.py writes it."""
    step: str  # of LOOP_STEPS
    form: str  # "loop" or "scan"
    hidden: int = 128
    batch: int = 1
    time: int = 100


@dataclasses.dataclass(frozen=True)
class RealModel:
    """A model of RONDO_MODELS with the inputs of one of its reference cases."""
    name: str
    case: int


@dataclasses.dataclass(frozen=True)
class Contestant:
    """Which runtime runs what in a case. The first of a case is Rondo, as the case's name says."""
    label: str
    peer: str
    subject: object  # a Layer, a Loop or a RealModel
    threads: int
    weights: str = "f32"


@dataclasses.dataclass(frozen=True)
class Case:
    group: str
    contestants: tuple

    @property
    def subject(self):
        return self.contestants[0].subject

    @property
    def threads(self):
        return self.contestants[0].threads

    @property
    def key(self):
        return f"{self.group} {describe(self.subject)} threads={self.threads}"


def describe(subject):
    """One line, the same for the same subject: it names a row in the results file."""
    if isinstance(subject, RealModel):
        return f"{subject.name}#{subject.case}"
    if isinstance(subject, Loop):
        return (f"{subject.step} as {subject.form} H={subject.hidden} N={subject.batch} "
                f"T={subject.time}")
    text = (f"{subject.cell} H={subject.hidden} N={subject.batch} T={subject.time} "
            f"D={subject.directions}")
    if subject.layers > 1:
        text += f" layers={subject.layers}"
    if subject.lengths != "full":
        text += f" lengths={subject.lengths}"
    return text


def against_peers(group, subject, threads, peers, extra=()):
    rondo = Contestant("rondo", "rondo", subject, threads)
    others = tuple(Contestant(peer, peer, subject, threads) for peer in peers)
    return Case(group, (rondo, *extra, *others))


@dataclasses.dataclass(frozen=True)
class Selection:
    """The axes of the grid, and which groups of rows."""
    cells: tuple = CELLS
    hidden: tuple = HIDDEN
    batch: tuple = BATCH
    time: tuple = TIME
    directions: tuple = DIRECTIONS
    threads: tuple = THREADS
    groups: tuple = GROUPS
    peers: tuple = PEERS


def grid_cases(chosen):
    for cell, directions, time, batch, hidden, threads in itertools.product(
            chosen.cells, chosen.directions, chosen.time, chosen.batch, chosen.hidden,
            chosen.threads):
        layer = Layer(cell, hidden, batch, time, directions)
        yield against_peers("grid", layer, threads, chosen.peers)


def lengths_cases(chosen):
    """Rows of uneven length against the same rows at full length."""
    for cell, hidden, threads in itertools.product(chosen.cells, chosen.hidden, chosen.threads):
        uneven = Layer(cell, hidden, batch=16, lengths="uniform")
        full = Contestant("rondo, full", "rondo", Layer(cell, hidden, batch=16), threads)
        yield against_peers("lengths", uneven, threads, chosen.peers, (full,))


def directions_cases(chosen):
    """Both directions on two threads against one direction on one thread."""
    for cell, time, hidden in itertools.product(chosen.cells, chosen.time, chosen.hidden):
        both = Contestant("rondo", "rondo", Layer(cell, hidden, time=time, directions=2), 2)
        one = Contestant("rondo, one direction", "rondo", Layer(cell, hidden, time=time), 1)
        yield Case("directions", (both, one))


def weights_cases(chosen):
    """Rondo with f16 weights, where f32 weights sit on the memory roof; the peers keep f32."""
    for cell, time, hidden, threads in itertools.product(
            chosen.cells, chosen.time, chosen.hidden, chosen.threads):
        if hidden >= 512:
            layer = Layer(cell, hidden, time=time)
            half = Contestant("rondo, f16 weights", "rondo", layer, threads, weights="f16")
            yield against_peers("weights", layer, threads, chosen.peers, (half,))


def stacked_cases(chosen):
    for cell, time, hidden, threads in itertools.product(
            chosen.cells, chosen.time, chosen.hidden, chosen.threads):
        layer = Layer(cell, hidden, time=time, layers=2)
        yield against_peers("stacked", layer, threads, chosen.peers)


def readers(chosen):
    """The peers that read ONNX."""
    return tuple(peer for peer in chosen.peers if peer != "torch")


def loop_cases(chosen):
    for kind, form, threads in itertools.product(LOOP_STEPS, ("loop", "scan"), chosen.threads):
        yield against_peers("loops", Loop(kind, form), threads, readers(chosen))


def model_cases(chosen, models):
    for subject, threads in itertools.product(models, chosen.threads):
        yield against_peers("models", subject, threads, readers(chosen))


def all_cases(chosen, models=()):
    """In the order in which they are measured; each key once."""
    makers = {"grid": grid_cases, "lengths": lengths_cases, "directions": directions_cases,
              "weights": weights_cases, "stacked": stacked_cases,
              "loops": loop_cases,
              "models": lambda selection: model_cases(selection, models)}
    cases = {}
    for group in GROUPS:
        if group in chosen.groups:
            cases.update((case.key, case) for case in makers[group](chosen))
    return list(cases.values())
