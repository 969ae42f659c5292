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
