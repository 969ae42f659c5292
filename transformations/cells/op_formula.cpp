#include "transformations/cells/op_formula.hpp"

#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "transformations/shapes/extents.hpp"

namespace rondo::passes {
namespace {

using ops::RecurrentOp;
using Formula = std::optional<GateFormula>;

// Dense numbers, and whether they are the constant's own, which outlive the algebra.
struct Weights {
    Tensor dense;
    bool lives = false;
};

// Computes with formulas that may be missing.
class OpFormula {
public:
    OpFormula(GateAlgebra& algebra, const RecurrentOp& op, const OpInputs& inputs)
        : algebra_(algebra),
          op_(op),
          inputs_(inputs),
          units_(static_cast<std::size_t>(op.hidden_size())),
          functions_(op.resolved_activations()[0]) {
        const bool has_peepholes =
            op.p_port() != RecurrentOp::npos && op.p_port() < op.input_count();
        complete_ = op.attributes().clip == 0 && units_ > 0 && take(op.w_port(), w_) &&
                    take(op.r_port(), r_) && take(op.b_port(), b_) &&
                    (!has_peepholes || take(op.p_port(), p_));
        if (!complete_) return;
        h_ = inputs.read(op.input(op.h_port()));
        if (h_ && op.cell_type() == ops::CellType::lstm) c_ = inputs.read(op.input(op.c_port()));
    }

    Formula state(std::size_t number) {
        if (!complete_ || !h_) return {};
        switch (op_.cell_type()) {
            case ops::CellType::lstm: return lstm(number);
            case ops::CellType::gru: return gru();
            case ops::CellType::rnn: return function(0, sum(sum(xw(0), hr(0)), bias(0)));
        }
        return {};
    }

private:
    // Gates in the order of the IR; peepholes stand in the order f, i, o.
    enum LstmGate : std::size_t { kForget, kInput, kCandidate, kOutput };
    enum GruGate : std::size_t { kUpdate, kReset, kNew, kNewOfHidden };

    bool take(std::size_t port, Weights& to) const {
        if (port >= op_.input_count()) return false;
        const Tensor known = known_value(op_.input(port));
        if (!known || known.element_type() != ElementType::f32) return false;
        to.dense = known.contiguous();
        to.lives = to.dense.data() == known.data();
        return true;
    }

    Formula lstm(std::size_t number) {
        if (!c_) return {};
        const Formula forget_gate = gate(kForget, peep(0, c_));
        const Formula input = function(0, gate(kInput, peep(1, c_)));
        const Formula forget = op_.attributes().input_forget ? difference(number_of(1), input)
                                                             : function(0, forget_gate);
        const Formula candidate = function(1, gate(kCandidate, number_of(0)));
        const Formula cell = sum(product(forget, c_), product(input, candidate));
        if (number == 1) return cell;
        const Formula output = function(0, gate(kOutput, peep(2, cell)));
        return product(output, function(2, cell));
    }

    Formula gru() {
        const Formula update = function(0, gate(kUpdate, number_of(0)));
        const Formula reset = function(0, gate(kReset, number_of(0)));
        Formula candidate;
        if (op_.attributes().linear_before_reset) {
            candidate =
                sum(sum(xw(kNew), bias(kNew)), product(reset, sum(hr(kNew), bias(kNewOfHidden))));
        } else {
            candidate = sum(sum(xw(kNew), times(product(reset, h_), kNew)), bias(kNew));
        }
        candidate = function(1, candidate);
        return sum(product(difference(number_of(1), update), candidate), product(update, h_));
    }

    Formula gate(std::size_t number, const Formula& more) {
        return sum(sum(sum(xw(number), hr(number)), bias(number)), more);
    }
    Formula xw(std::size_t gate) {
        return inputs_.product(op_.input(op_.x_port()), rows_of(w_, gate));
    }
    Formula hr(std::size_t gate) { return times(h_, gate); }
    Formula times(const Formula& value, std::size_t gate) {
        return value ? algebra_.matrix_product(*value, rows_of(r_, gate)) : std::nullopt;
    }

    // The rows of a gate in W or R.
    GateMatrix rows_of(const Weights& weights, std::size_t gate) const {
        GateMatrix rows;
        rows.rows = rows.k = weights.dense.shape().back();
        rows.units = units_;
        rows.data = weights.dense.data<float>() + gate * units_ * rows.k;
        rows.transposed = true;
        rows.lives = weights.lives;
        return rows;
    }

    Formula bias(std::size_t gate) const { return part_of(b_, gate); }
    Formula peep(std::size_t gate, const Formula& of) {
        return p_.dense ? product(of, part_of(p_, gate)) : number_of(0);
    }
    Formula part_of(const Weights& vector, std::size_t part) const {
        const float* first = vector.dense.data<float>() + part * units_;
        return GateAlgebra::numbers({first, first + units_});
    }
    static Formula number_of(float number) { return GateAlgebra::numbers({number}); }

    Formula sum(const Formula& a, const Formula& b) const {
        return a && b ? algebra_.sum(*a, *b) : std::nullopt;
    }
    Formula difference(const Formula& a, const Formula& b) const {
        return a && b ? algebra_.sum(*a, *b, -1) : std::nullopt;
    }
    Formula product(const Formula& a, const Formula& b) {
        return a && b ? algebra_.product(*a, *b) : std::nullopt;
    }
    Formula function(std::size_t number, const Formula& argument) {
        if (!argument) return {};
        const ops::ActivationFunction identity{ops::ActivationKind::affine, 1, 0};
        if (functions_[number] == identity) return argument;
        return algebra_.activation(functions_[number], *argument);
    }

    GateAlgebra& algebra_;
    const RecurrentOp& op_;
    const OpInputs& inputs_;
    const std::size_t units_;
    const std::vector<ops::ActivationFunction> functions_;
    Weights w_, r_, b_, p_;
    Formula h_, c_;
    bool complete_ = false;
};

}  // namespace

bool is_one_step(const RecurrentOp& op) {
    if (!op.is_sequence()) return true;
    const PartialShape& x = op.input(op.x_port()).shape();
    return x.has_rank() && x.rank() == 3 && x[1] == Dimension(1) && op.num_directions() == 1 &&
           lengths_are_full(op);
}

Formula formula_of_op(GateAlgebra& algebra, const RecurrentOp& op, std::size_t state,
                      const OpInputs& inputs) {
    if (!is_one_step(op)) return {};
    return OpFormula(algebra, op, inputs).state(state);
}

using ops::ActivationKind;
using ops::BinaryFunction;
using ops::UnaryFunction;

std::optional<ops::ActivationFunction> activation_of(const Node& node) {
    const auto* unary = as_op<ops::Unary>(node);
    if (unary == nullptr) return {};
    switch (unary->function()) {
        case UnaryFunction::sigmoid: return ops::default_activation(ActivationKind::sigmoid);
        case UnaryFunction::tanh: return ops::default_activation(ActivationKind::tanh);
        case UnaryFunction::relu: return ops::default_activation(ActivationKind::relu);
        case UnaryFunction::softsign: return ops::default_activation(ActivationKind::softsign);
        case UnaryFunction::softplus: return ops::default_activation(ActivationKind::softplus);
        default: return {};
    }
}

std::optional<GateFormula> combined(GateAlgebra& algebra, BinaryFunction function,
                                    const GateFormula& a, const GateFormula& b) {
    std::optional<GateFormula> result;
    switch (function) {
        case BinaryFunction::add: result = algebra.sum(a, b); break;
        case BinaryFunction::subtract: result = algebra.sum(a, b, -1); break;
        case BinaryFunction::multiply: result = algebra.product(a, b); break;
        default: return {};
    }
    return result ? std::optional(algebra.as_one_function(*std::move(result))) : std::nullopt;
}

}  // namespace rondo::passes
