"""Steps that are no LSTM, GRU or RNN cell, as the body of an ONNX Loop or Scan over X [T,N,H]."""

import numpy as np

from bench_peers_lib import onnx_writer

KEYS = 40       # places that the decoder attends to
CHANNELS = 16   # states of each unit of the selective scan


class StepWriter:
    """Collects the nodes of one step and the constants outside of the loop."""

    def __init__(self, subject, random):
        self.hidden, self.batch, self.random = subject.hidden, subject.batch, random
        self.nodes, self.constants = [], {}

    def op(self, kind, *inputs, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}_{index}" for index in range(outputs)]
        self.nodes.append(onnx_writer.node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        return name

    def weights(self, *shape):
        bound = self.hidden ** -0.5
        return self.constant(self.random.uniform(-bound, bound, shape).astype(np.float32))

    def linear(self, x, columns, rows=None):
        return self.op("MatMul", x, self.weights(rows or self.hidden, columns))

    def layer_norm(self, x, units):
        scale = self.constant(self.random.uniform(0.5, 1.5, units).astype(np.float32))
        return self.op("LayerNormalization", x, scale, self.weights(units), axis=-1)

    def parts(self, x, count):
        return self.op("Split", x, self.constant(np.full(count, self.hidden, np.int64)),
                       outputs=count, axis=1)

    def lstm(self, gates, c, cell_norm=lambda c: c):
        i, o, f, g = self.parts(gates, 4)
        kept = self.op("Mul", self.op("Sigmoid", f), c)
        added = self.op("Mul", self.op("Sigmoid", i), self.op("Tanh", g))
        now = self.op("Add", kept, added)
        return self.op("Mul", self.op("Sigmoid", o), self.op("Tanh", cell_norm(now))), now


def layer_norm_lstm(step, x, states):
    """LSTM whose products and state are normalised: https://arxiv.org/abs/1607.06450, section 3.1."""
    h, c = states
    units = 4 * step.hidden
    gates = step.op("Add", step.layer_norm(step.linear(x, units), units),
                    step.layer_norm(step.linear(h, units), units))
    return step.lstm(gates, c, lambda now: step.layer_norm(now, step.hidden))


def minimal_gru(step, x, states):
    """One gate that forgets and resets: https://arxiv.org/abs/1603.09420."""
    h, = states
    gate = step.op("Sigmoid", step.op("Add", step.op(
        "Add", step.linear(x, step.hidden), step.linear(h, step.hidden)),
        step.weights(step.hidden)))
    kept = step.op("Mul", gate, h)
    new = step.op("Tanh", step.op("Add", step.op(
        "Add", step.linear(x, step.hidden), step.linear(kept, step.hidden)),
        step.weights(step.hidden)))
    rest = step.op("Sub", step.constant(np.float32(1)), gate)
    return (step.op("Add", step.op("Mul", rest, h), step.op("Mul", gate, new)),)


def attention_decoder(step, x, states):
    """An LSTM that reads what it attends to: additive scores over KEYS places."""
    h, c = states
    keys, memory = (step.weights(step.batch, KEYS, step.hidden) for _ in range(2))
    query = step.op("Unsqueeze", step.linear(h, step.hidden), step.constant(np.array([1])))
    fit = step.op("Tanh", step.op("Add", keys, query))
    scores = step.op("Squeeze", step.linear(fit, 1), step.constant(np.array([2])))
    share = step.op("Unsqueeze", step.op("Softmax", scores, axis=-1), step.constant(np.array([1])))
    seen = step.op("Squeeze", step.op("MatMul", share, memory), step.constant(np.array([1])))
    read = step.op("Concat", x, seen, h, axis=1)
    gates = step.op("Add", step.linear(read, 4 * step.hidden, 3 * step.hidden),
                    step.weights(4 * step.hidden))
    return step.lstm(gates, c)


def selective_scan(step, x, states):
    """A state-space layer whose rates depend on the input: https://arxiv.org/abs/2312.00752."""
    state, = states
    last = step.constant(np.array([2]))
    rate = step.op("Unsqueeze", step.op("Softplus", step.linear(x, step.hidden)), last)
    decay = step.op("Exp", step.op("Mul", rate, step.constant(
        -step.random.uniform(0.5, 2, (step.hidden, CHANNELS)).astype(np.float32))))
    into = step.op("Unsqueeze", step.linear(x, CHANNELS), step.constant(np.array([1])))
    out = step.op("Unsqueeze", step.linear(x, CHANNELS), step.constant(np.array([1])))
    scaled = step.op("Mul", rate, step.op("Unsqueeze", x, last))
    now = step.op("Add", step.op("Mul", decay, state), step.op("Mul", scaled, into))
    seen = step.op("ReduceSum", step.op("Mul", now, out), last, keepdims=0)
    return step.op("Add", seen, step.op("Mul", x, step.weights(step.hidden))), now


# The step, how many of its results are states (the last ones), and their shape.
STEPS = {"layer_norm_lstm": (layer_norm_lstm, 2), "minimal_gru": (minimal_gru, 1),
         "attention_decoder": (attention_decoder, 2), "selective_scan": (selective_scan, 1)}


def state_shape(subject):
    units = (subject.hidden, CHANNELS) if subject.step == "selective_scan" else (subject.hidden,)
    return (subject.batch, *units)


def infos(names, shape):
    return [(name, np.float32, shape) for name in names]


def write(subject, random):
    """The model: X [T,N,H] -> Y [T,N,H] and the last states; states begin at 0."""
    step = StepWriter(subject, random)
    make, count = STEPS[subject.step]
    shape, part_shape = state_shape(subject), (subject.batch, subject.hidden)
    before = [f"state{index}" for index in range(count)]
    part = step.op("Gather", "X", "i", axis=0) if subject.form == "loop" else "part"
    made = make(step, part, before)
    after = made[-count:]
    row = step.op("Identity", made[0])
    results = infos(after, shape) + infos([row], part_shape)
    zeros = step.constant(np.zeros(shape, np.float32))
    finals = [f"final{index}" for index in range(count)]
    if subject.form == "loop":
        go_on = step.op("Identity", "go")
        body = onnx_writer.Graph(
            step.nodes, {}, [("i", np.int64, ()), ("go", np.bool_, ()), *infos(before, shape)],
            [(go_on, np.bool_, ()), *results])
        inputs = [step.constant(np.int64(subject.time)), step.constant(np.bool_(True))]
        node = onnx_writer.node("Loop", inputs + [zeros] * count, [*finals, "Y"], body=body)
    else:
        body = onnx_writer.Graph(step.nodes, {}, infos(before, shape) + infos([part], part_shape),
                                 results)
        node = onnx_writer.node("Scan", [zeros] * count + ["X"], [*finals, "Y"], body=body,
                                num_scan_inputs=1)
    whole = (subject.time, *part_shape)
    return onnx_writer.model([node], step.constants, infos(["X"], whole),
                             infos(["Y"], whole) + infos(finals, shape))
