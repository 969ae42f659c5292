#include "transformations/lowering/passes.hpp"

#include <array>

#include "core/ops/compositions.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/lowering/sequence_parts.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using ops::RecurrentOp;

class Decomposer {
public:
    Decomposer(Rewriter& rewriter, const RecurrentOp& op)
        : by_(rewriter, op.name()), op_(op), functions_(op.resolved_activations().front()) {}

    /// H and, of an LSTM, C.
    std::vector<Output> next_states() {
        switch (op_.cell_kind()) {
            case ops::CellKind::lstm: return lstm();
            case ops::CellKind::gru: return {gru()};
            case ops::CellKind::gru_linear_before_reset: return {gru_linear_before_reset()};
            case ops::CellKind::rnn: return {activated(0, all_gates())};
        }
        return {};
    }

    Output narrow(const Output& value) { return by_.convert(value, op_.output_type(0)); }

private:
    Output input(std::size_t port) {
        const bool is_double = op_.output_type(0) == ElementType::f64;
        return by_.convert(op_.input(port), is_double ? ElementType::f64 : ElementType::f32);
    }
    Output h() { return input(op_.h_port()); }
    Output xw() { return by_.product_transposed(input(op_.x_port()), input(op_.w_port())); }
    Output hr() { return by_.product_transposed(h(), input(op_.r_port())); }

    // X W^T + H R^T + B.
    Output all_gates() { return by_.add(by_.add(xw(), hr()), input(op_.b_port())); }

    // A gate: its function of the bounded pre-activation.
    Output activated(std::size_t function, Output x) {
        const auto clip = static_cast<double>(op_.attributes().clip);
        if (clip > 0) x = ops::clip(by_, x, -clip, clip);
        return lower_activation(by_, functions_[function], x);
    }

    Output one_minus(const Output& x) { return by_.subtract(by_.number(1, x), x); }

    // i = f(i + Pi C), f = f(f + Pf C) or 1 - i, C' = f C + i g(c), o = f(o + Po C'), H' = o h(C').
    std::vector<Output> lstm() {
        const auto gates = by_.split(all_gates(), 1, 4);  // fico
        std::vector<Output> peepholes;                    // fio
        if (op_.p_port() != RecurrentOp::npos) peepholes = by_.split(input(op_.p_port()), 0, 3);
        const auto seen = [&](const Output& gate, std::size_t k, const Output& c) {
            return peepholes.empty() ? gate : by_.add(gate, by_.multiply(peepholes[k], c));
        };
        const Output c = input(op_.c_port());
        const Output i = activated(0, seen(gates[1], 1, c));
        const Output f =
            op_.attributes().input_forget ? one_minus(i) : activated(0, seen(gates[0], 0, c));
        const Output next_c = by_.add(by_.multiply(f, c), by_.multiply(i, activated(1, gates[2])));
        const Output o = activated(0, seen(gates[3], 2, next_c));
        return {by_.multiply(o, lower_activation(by_, functions_[2], next_c)), next_c};
    }

    // (1 - z) candidate + z H.
    Output mixed(const Output& z, const Output& candidate) {
        return by_.add(by_.multiply(one_minus(z), candidate), by_.multiply(z, h()));
    }

    // z, r = f(.); candidate g(Wh x + Bh + Rh (r H)).
    Output gru() {
        const auto inputs = by_.split(by_.add(xw(), input(op_.b_port())), 1, 3);  // zrh
        const auto r = by_.split(input(op_.r_port()), 0, 3);
        const auto gate = [&](std::size_t k) {
            return activated(0, by_.add(inputs[k], by_.product_transposed(h(), r[k])));
        };
        const Output z = gate(0);
        const Output reset = by_.multiply(gate(1), h());
        return mixed(z, activated(1, by_.add(inputs[2], by_.product_transposed(reset, r[2]))));
    }

    // z, r = f(.); candidate g(Wh x + Wbh + r (Rh H + Rbh)).
    Output gru_linear_before_reset() {
        const auto x = by_.split(xw(), 1, 3), h = by_.split(hr(), 1, 3);
        const auto b = by_.split(input(op_.b_port()), 0, 4);  // z, r, Wbh, Rbh
        const auto gate = [&](std::size_t k) {
            return activated(0, by_.add(by_.add(x[k], h[k]), b[k]));
        };
        const Output z = gate(0);
        const Output recurrent = by_.multiply(gate(1), by_.add(h[2], b[3]));
        return mixed(z, activated(1, by_.add(by_.add(x[2], b[2]), recurrent)));
    }

    Formula by_;
    const RecurrentOp& op_;
    std::vector<ops::ActivationFunction> functions_;
};

void decompose(const std::shared_ptr<RecurrentOp>& op, Rewriter& rewriter) {
    Decomposer decomposer(rewriter, *op);
    const auto states = decomposer.next_states();
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (op->output(i).consumers().empty()) continue;
        rewriter.replace(op->output(i), decomposer.narrow(states[i]));
    }
}

}  // namespace

bool cell_decomposition(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<RecurrentOp>([&](const auto& op) {
        if (!op->is_sequence() && needs_lowering(*op)) decompose(op, rewriter);
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
