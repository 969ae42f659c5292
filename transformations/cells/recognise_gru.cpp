// Recognises GRU and RNN cells, whose only state is H.
#include <algorithm>
#include <utility>

#include "transformations/cells/cell_gates.hpp"

namespace rondo::passes {
namespace {

using ops::ActivationFunction;

// H' = (1 - z) n + z H, where n = g(x + r (H R + b)) or n = g(x + (r H) R).
class GruReader {
public:
    GruReader(const GateAlgebra& algebra, const GateFormula& next)
        : algebra_(algebra), next_(next) {}

    std::optional<CellFormula> read() {
        const auto state = algebra_.atom_of_state(0);
        if (!state || !next_.is_sum_of_terms() || next_.terms.size() != 3) return {};
        state_ = *state;
        if (!find_update() || !find_reset()) return {};
        CellFormula cell;
        cell.type = ops::CellType::gru;
        cell.attributes.hidden_size = static_cast<std::int64_t>(next_.units);
        cell.attributes.linear_before_reset = linear_before_reset_;
        set_activations(cell, {f_, g_});
        GateCollector gates(algebra_, 0, next_.units);
        gates.add(update_);
        gates.add(reset_);
        gates.add(candidate_);
        if (linear_before_reset_) gates.add_bias(recurrent_bias_);
        if (!gates.finish(cell)) return {};
        return cell;
    }

private:
    // H z - n z + n, or H - H z' + n z', in which z = 1 - z'.
    bool find_update() {
        for (const GateTerm& term : next_.terms) {
            const bool has_state = std::count(term.atoms.begin(), term.atoms.end(), state_) == 1;
            if (term.atoms.size() != 2 || !has_state) continue;
            const std::size_t z = term.atoms[0] == state_ ? term.atoms[1] : term.atoms[0];
            const GateAtom* gate = activation(algebra_, z);
            if (gate == nullptr || !is_plain_gate(algebra_, gate->argument)) continue;
            f_ = gate->function;
            update_ = gate->argument.affine;
            if (is_one(term.factor) && find_candidate(z, 1)) return true;
            if (!has_term(next_, {state_}, 1) || !can_complement(f_)) continue;
            if (!has_term(next_, {state_, z}, -1) || !find_candidate(z, -1)) continue;
            update_ = complement(update_, next_.units, f_);
            return true;
        }
        return false;
    }

    // The one that -z multiplies, or z of the other form.
    bool find_candidate(std::size_t z, float form) {
        for (const GateTerm& term : next_.terms) {
            const bool has_z = std::count(term.atoms.begin(), term.atoms.end(), z) > 0;
            const bool has_state = std::count(term.atoms.begin(), term.atoms.end(), state_) > 0;
            if (term.atoms.size() != 2 || !has_z || has_state) continue;
            const std::size_t n = term.atoms[0] == z ? term.atoms[1] : term.atoms[0];
            const GateAtom* candidate = activation(algebra_, n);
            if (candidate == nullptr || term.factor != UnitNumbers{-form}) return false;
            if (form > 0 && !has_term(next_, {n}, 1)) return false;
            g_ = candidate->function;
            argument_ = &candidate->argument;
            return true;
        }
        return false;
    }

    bool find_reset() {
        candidate_ = argument_->affine;
        if (argument_->terms.empty()) return find_reset_before();
        if (argument_->terms.size() != 1 || !is_one(argument_->terms[0].factor)) return false;
        const GateAtoms& atoms = argument_->terms[0].atoms;
        if (atoms.size() != 2 || !reads_inputs_alone(candidate_)) return false;
        for (const std::size_t i : {0U, 1U}) {
            const GateAtom* gate = activation(algebra_, atoms[i]);
            const GateAtom& product = algebra_.atom(atoms[1 - i]);
            if (gate == nullptr || product.kind != GateAtom::Kind::affine) continue;
            return take_reset(*gate) && take_product(product.argument);
        }
        return false;
    }

    // The reset is applied to the product with R.
    bool take_product(const GateFormula& product) {
        if (!product.is_affine() || product.affine.products.size() != 1) return false;
        const GateSource& source = algebra_.source(product.affine.products[0].source);
        if (source.kind != GateSource::Kind::state) return false;
        linear_before_reset_ = true;
        recurrent_bias_ = product.affine.bias;
        candidate_.products.push_back(product.affine.products[0]);
        return true;
    }

    // The reset is applied to H before its product.
    bool find_reset_before() {
        const GateFormula* masked = nullptr;
        for (const GateProduct& product : candidate_.products) {
            const GateSource& source = algebra_.source(product.source);
            if (source.kind == GateSource::Kind::input) continue;
            if (source.kind == GateSource::Kind::state || masked != nullptr) return false;
            masked = &source.formula;
        }
        if (masked == nullptr || masked->terms.size() != 1 || !masked->is_sum_of_terms()) {
            return false;
        }
        const GateTerm& term = masked->terms[0];
        const bool has_state = std::count(term.atoms.begin(), term.atoms.end(), state_) == 1;
        if (term.atoms.size() != 2 || !has_state || !is_one(term.factor)) return false;
        const std::size_t r = term.atoms[0] == state_ ? term.atoms[1] : term.atoms[0];
        const GateAtom* gate = activation(algebra_, r);
        return gate != nullptr && take_reset(*gate);
    }

    bool take_reset(const GateAtom& gate) {
        if (gate.function != f_ || !is_plain_gate(algebra_, gate.argument)) return false;
        reset_ = gate.argument.affine;
        return true;
    }

    bool reads_inputs_alone(const GateAffine& gate) const {
        return std::all_of(gate.products.begin(), gate.products.end(), [&](const auto& product) {
            return algebra_.source(product.source).kind == GateSource::Kind::input;
        });
    }

    const GateAlgebra& algebra_;
    const GateFormula& next_;
    std::size_t state_ = 0;  // H, as an atom
    ActivationFunction f_, g_;
    GateAffine update_, reset_, candidate_;
    const GateFormula* argument_ = nullptr;  // of the candidate's function
    bool linear_before_reset_ = false;
    UnitNumbers recurrent_bias_;
};

std::optional<CellFormula> rnn_of(const GateAlgebra& algebra, const GateFormula& gate,
                                  const ActivationFunction& function) {
    CellFormula cell;
    cell.type = ops::CellType::rnn;
    cell.attributes.hidden_size = static_cast<std::int64_t>(gate.units);
    set_activations(cell, {function});
    GateCollector gates(algebra, 0, gate.units);
    gates.add(gate.affine);
    if (!gates.finish(cell)) return {};
    return cell;
}

}  // namespace

std::optional<CellFormula> recognise_gru(const GateAlgebra& algebra, const GateFormula& next) {
    return GruReader(algebra, next).read();
}

// H' = f(x W + H R + b), or that without a function.
std::optional<CellFormula> recognise_rnn(const GateAlgebra& algebra, const GateFormula& next) {
    if (is_plain_gate(algebra, next)) {
        return rnn_of(algebra, next, {ops::ActivationKind::affine, 1, 0});
    }
    const bool is_one_atom = next.is_sum_of_terms() && next.terms.size() == 1 &&
                             next.terms[0].atoms.size() == 1 && is_one(next.terms[0].factor);
    if (!is_one_atom) return {};
    const GateAtom* function = activation(algebra, next.terms[0].atoms[0]);
    if (function == nullptr || !is_plain_gate(algebra, function->argument)) return {};
    return rnn_of(algebra, function->argument, function->function);
}

}  // namespace rondo::passes
