#include "transformations/recurrent/recognition/op_formula.hpp"
#include "core/extents/full_lengths.hpp"

#include <utility>
#include <vector>

#include "transformations/analysis/step_values.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;

// Dense numbers, and whether they are the constant's own, which outlive the algebra.
struct Weights {
    Tensor dense;
    bool lives = false;
};

class OpFormula {
public:
    OpFormula(GateAlgebra& algebra, const RecurrentOp& op, const OpInputs& inputs)
        : by_(algebra),
          op_(op),
          inputs_(inputs),
          units_(static_cast<std::size_t>(op.hidden_size())),
          functions_(op.resolved_activations()[0]) {}

    MaybeFormula state(std::size_t number) {
        const bool is_complete = op_.attributes().clip == 0 && units_ > 0 &&
                                 take(op_.w_port(), w_) && take(op_.r_port(), r_) &&
                                 take(op_.b_port(), b_) &&
                                 (op_.p_port() == RecurrentOp::npos || take(op_.p_port(), p_));
        if (!is_complete) return {};
        h_ = inputs_.read(op_.input(op_.h_port()));
        switch (op_.cell_type()) {
            case ops::CellType::lstm: return lstm(number);
            case ops::CellType::gru: return gru();
            case ops::CellType::rnn: return function(0, gate(0));
        }
        return {};
    }

private:
    // Gates in the order of the IR; peepholes have the order f, i, o.
    enum LstmGate : std::size_t { kForget, kInput, kCandidate, kOutput };
    enum GruGate : std::size_t { kUpdate, kReset, kNew, kNewOfHidden };

    bool take(std::size_t port, Weights& to) const {
        if (port >= op_.input_count()) return false;
        to.dense = known_floats(op_.input(port));
        to.lives = to.dense && to.dense.data() == known_value(op_.input(port)).data();
        return static_cast<bool>(to.dense);
    }

    MaybeFormula lstm(std::size_t number) {
        const MaybeFormula c = inputs_.read(op_.input(op_.c_port()));
        const MaybeFormula input = function(0, by_.sum(gate(kInput), peep(1, c)));
        const MaybeFormula forget = op_.attributes().input_forget
                                        ? one_minus(input)
                                        : function(0, by_.sum(gate(kForget), peep(0, c)));
        const MaybeFormula candidate = function(1, gate(kCandidate));
        const MaybeFormula cell = by_.sum(by_.product(forget, c), by_.product(input, candidate));
        if (number == 1) return cell;
        const MaybeFormula output = function(0, by_.sum(gate(kOutput), peep(2, cell)));
        return by_.product(output, function(2, cell));
    }

    MaybeFormula gru() {
        const MaybeFormula update = function(0, gate(kUpdate));
        const MaybeFormula reset = function(0, gate(kReset));
        const MaybeFormula of_hidden =
            op_.attributes().linear_before_reset
                ? by_.product(reset, by_.sum(times(h_, kNew), part_of(b_, kNewOfHidden)))
                : times(by_.product(reset, h_), kNew);
        const MaybeFormula of_input = by_.sum(xw(kNew), part_of(b_, kNew));
        const MaybeFormula candidate = function(1, by_.sum(of_input, of_hidden));
        return by_.sum(by_.product(one_minus(update), candidate), by_.product(update, h_));
    }

    MaybeFormula gate(std::size_t number) {
        return by_.sum(by_.sum(xw(number), times(h_, number)), part_of(b_, number));
    }
    MaybeFormula xw(std::size_t gate) {
        return inputs_.product(op_.input(op_.x_port()), rows_of(w_, gate));
    }
    MaybeFormula times(const MaybeFormula& value, std::size_t gate) {
        return by_.matrix_product(value, rows_of(r_, gate));
    }

    // The rows of a gate in W or R.
    GateMatrix rows_of(const Weights& weights, std::size_t gate) const {
        const std::size_t k = weights.dense.shape().back();
        const float* first = weights.dense.data<float>() + gate * units_ * k;
        return {first, k, units_, true, weights.lives, 0, k};
    }

    MaybeFormula peep(std::size_t gate, const MaybeFormula& of) {
        return p_.dense ? by_.product(of, part_of(p_, gate)) : GateAlgebra::numbers({0});
    }
    MaybeFormula part_of(const Weights& vector, std::size_t part) const {
        const float* first = vector.dense.data<float>() + part * units_;
        return GateAlgebra::numbers({first, first + units_});
    }
    MaybeFormula one_minus(const MaybeFormula& value) const {
        return by_.sum(MaybeFormula(GateAlgebra::numbers({1})), value, -1);
    }
    MaybeFormula function(std::size_t number, const MaybeFormula& argument) {
        const ops::ActivationFunction identity{ops::ActivationKind::affine, 1, 0};
        if (functions_[number] == identity) return argument;
        return by_.activation(functions_[number], argument);
    }

    GateAlgebra& by_;
    const RecurrentOp& op_;
    const OpInputs& inputs_;
    const std::size_t units_;
    const std::vector<ops::ActivationFunction> functions_;
    Weights w_, r_, b_, p_;
    MaybeFormula h_;
};

}  // namespace

bool is_one_step(const RecurrentOp& op) {
    if (!op.is_sequence()) return true;
    const PartialShape& x = op.input(op.x_port()).shape();
    return x.has_rank() && x.rank() == 3 && x[1] == Dimension(1) && op.num_directions() == 1 &&
           lengths_are_full(op);
}

MaybeFormula formula_of_op(GateAlgebra& algebra, const RecurrentOp& op, std::size_t state,
                           const OpInputs& inputs) {
    if (!is_one_step(op)) return {};
    return OpFormula(algebra, op, inputs).state(state);
}

}  // namespace rondo::passes
