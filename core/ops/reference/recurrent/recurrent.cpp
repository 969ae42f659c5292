// Evaluates the recurrent cells and sequences.
#include <algorithm>
#include <cstdint>

#include "core/graph/infer_context.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reference/common/evaluators.hpp"
#include "core/ops/reference/common/numbers.hpp"
#include "core/ops/reference/recurrent/recurrent_cell.hpp"

namespace rondo::reference {
namespace {

double dot(const double* a, const double* b, std::size_t count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

double input_part(const RecurrentCell& cell, std::size_t row, const double* x) {
    return dot(cell.w + row * cell.input_size, x, cell.input_size);
}

double hidden_part(const RecurrentCell& cell, std::size_t row, const double* h) {
    return dot(cell.r + row * cell.hidden_size, h, cell.hidden_size);
}

// W x + R h + b of a gate's unit.
double pre_activation(const RecurrentCell& cell, std::size_t row, const double* x,
                      const double* h) {
    return input_part(cell, row, x) + hidden_part(cell, row, h) + cell.b[row];
}

// A gate: its function of the bounded pre-activation. clamp() keeps NaN.
double gate(const RecurrentCell& cell, std::size_t function, double x) {
    if (cell.clip > 0) x = std::clamp(x, -cell.clip, cell.clip);
    return apply(cell.functions[function], x);
}

// i = f(i + Pi C), f = f(f + Pf C) or 1 - i, C' = f C + i g(c), o = f(o + Po C'), H' = o h(C').
// Gates fico, peepholes fio.
void lstm_step(const RecurrentCell& cell, const double* x, double* h, double* c) {
    const std::size_t H = cell.hidden_size;
    std::vector<double> next(H);
    for (std::size_t u = 0; u < H; ++u) {
        const auto peephole = [&](std::size_t k) {
            return cell.p ? cell.p[k * H + u] * c[u] : 0.0;
        };
        double f = pre_activation(cell, u, x, h) + peephole(0);
        double i = pre_activation(cell, H + u, x, h) + peephole(1);
        const double candidate = pre_activation(cell, 2 * H + u, x, h);
        i = gate(cell, 0, i);
        f = cell.input_forget ? 1.0 - i : gate(cell, 0, f);
        c[u] = f * c[u] + i * gate(cell, 1, candidate);
        const double o = gate(cell, 0, pre_activation(cell, 3 * H + u, x, h) + peephole(2));
        next[u] = o * apply(cell.functions[2], c[u]);
    }
    std::copy(next.begin(), next.end(), h);
}

// z, r = f(.); h~ = g(Wh x + Bh + Rh (r h)), or with linear_before_reset
// g(Wh x + Wbh + r (Rh h + Rbh)); H' = (1 - z) h~ + z H. Gates zrh.
void gru_step(const RecurrentCell& cell, const double* x, double* h) {
    const std::size_t H = cell.hidden_size;
    std::vector<double> z(H), r(H), reset(H), next(H);
    for (std::size_t u = 0; u < H; ++u) {
        z[u] = gate(cell, 0, pre_activation(cell, u, x, h));
        r[u] = gate(cell, 0, pre_activation(cell, H + u, x, h));
        reset[u] = r[u] * h[u];
    }
    for (std::size_t u = 0; u < H; ++u) {
        const std::size_t row = 2 * H + u;
        double candidate = 0;
        if (cell.linear_before_reset) {
            const double recurrent = hidden_part(cell, row, h) + cell.b[3 * H + u];
            candidate = input_part(cell, row, x) + cell.b[row] + r[u] * recurrent;
        } else {
            candidate = pre_activation(cell, row, x, reset.data());
        }
        next[u] = (1.0 - z[u]) * gate(cell, 1, candidate) + z[u] * h[u];
    }
    std::copy(next.begin(), next.end(), h);
}

// H' = f(W x + R h + B).
void rnn_step(const RecurrentCell& cell, const double* x, double* h) {
    std::vector<double> next(cell.hidden_size);
    for (std::size_t u = 0; u < next.size(); ++u) {
        next[u] = gate(cell, 0, pre_activation(cell, u, x, h));
    }
    std::copy(next.begin(), next.end(), h);
}

}  // namespace

void step(const RecurrentCell& cell, const double* x, double* h, double* c) {
    switch (cell.type) {
        case ops::CellType::lstm: lstm_step(cell, x, h, c); break;
        case ops::CellType::gru: gru_step(cell, x, h); break;
        case ops::CellType::rnn: rnn_step(cell, x, h); break;
    }
}

namespace {

using ops::Direction;
using ops::RecurrentOp;

// A cell is a sequence of one step in one direction.
struct Sizes {
    std::size_t N, T, D, I, H;
};

Sizes sizes_of(const RecurrentOp& op, std::span<const Tensor> inputs) {
    const Shape& shape = inputs[op.x_port()].shape();
    return {shape[0], op.is_sequence() ? shape[1] : 1, op.num_directions(), shape.back(),
            inputs[op.r_port()].shape().back()};
}

// The inputs in double, and the state as it goes through the steps.
struct Data {
    std::vector<double> x, w, r, b, p;
    std::vector<double> h, c;           // [N,D,H]
    std::vector<double> y;              // [N,D,T,H]
    std::vector<std::int64_t> lengths;  // [N]
};

Data read(const RecurrentOp& op, const Sizes& sizes, std::span<const Tensor> inputs) {
    Data data;
    data.x = to_doubles(inputs[op.x_port()]);
    data.h = to_doubles(inputs[op.h_port()]);
    if (op.c_port() != RecurrentOp::npos) data.c = to_doubles(inputs[op.c_port()]);
    data.w = to_doubles(inputs[op.w_port()]);
    data.r = to_doubles(inputs[op.r_port()]);
    data.b = to_doubles(inputs[op.b_port()]);
    if (inputs.size() > op.b_port() + 1) data.p = to_doubles(inputs[op.b_port() + 1]);
    if (op.is_sequence()) {
        data.lengths = to_int64_vector(inputs[op.lengths_port()]);
        op.check_lengths(data.lengths, static_cast<std::int64_t>(sizes.T));
        data.y.resize(sizes.N * sizes.D * sizes.T * sizes.H);
    } else {
        data.lengths.assign(sizes.N, 1);
    }
    return data;
}

RecurrentCell cell_of(const RecurrentOp& op, const Sizes& sizes, const Data& data,
                      std::size_t direction) {
    const auto& attributes = op.attributes();
    const std::size_t rows = op.gate_count() * sizes.H;
    RecurrentCell cell;
    cell.type = op.cell_type();
    cell.input_size = sizes.I;
    cell.hidden_size = sizes.H;
    cell.functions = op.resolved_activations()[direction];
    cell.clip = attributes.clip;
    cell.linear_before_reset = attributes.linear_before_reset;
    cell.input_forget = attributes.input_forget;
    cell.w = data.w.data() + direction * rows * sizes.I;
    cell.r = data.r.data() + direction * rows * sizes.H;
    cell.b = data.b.data() + direction * op.bias_gate_count() * sizes.H;
    if (!data.p.empty()) cell.p = data.p.data() + direction * 3 * sizes.H;
    return cell;
}

// One row of the batch in one direction, through its own length; past it Y stays 0.
void run_row(const RecurrentCell& cell, const Sizes& sizes, Data& data, std::size_t row,
             std::size_t direction, bool reverse) {
    const auto length = static_cast<std::size_t>(data.lengths[row]);
    const std::size_t state = (row * sizes.D + direction) * sizes.H;
    double* h = data.h.data() + state;
    double* c = data.c.empty() ? nullptr : data.c.data() + state;
    if (length == 0 && sizes.T > 0) {
        std::fill_n(h, sizes.H, 0.0);
        if (c != nullptr) std::fill_n(c, sizes.H, 0.0);
    }
    for (std::size_t s = 0; s < length; ++s) {
        const std::size_t t = reverse ? length - 1 - s : s;
        step(cell, data.x.data() + (row * sizes.T + t) * sizes.I, h, c);
        if (data.y.empty()) continue;
        std::copy_n(h, sizes.H, data.y.data() + state * sizes.T + t * sizes.H);
    }
}

}  // namespace

void recurrent(const Node& node, std::span<const Tensor> inputs, std::span<Tensor> outputs) {
    const auto& op = dynamic_cast<const RecurrentOp&>(node);
    const Sizes sizes = sizes_of(op, inputs);
    Data data = read(op, sizes, inputs);
    for (std::size_t d = 0; d < sizes.D; ++d) {
        const RecurrentCell cell = cell_of(op, sizes, data, d);
        const bool reverse = op.attributes().direction == Direction::reverse || d == 1;
        for (std::size_t row = 0; row < sizes.N; ++row) {
            run_row(cell, sizes, data, row, d, reverse);
        }
    }
    std::size_t output = 0;
    if (op.is_sequence()) from_doubles(data.y, outputs[output++]);
    from_doubles(data.h, outputs[output++]);
    if (op.c_port() != RecurrentOp::npos) from_doubles(data.c, outputs[output]);
}

}  // namespace rondo::reference
