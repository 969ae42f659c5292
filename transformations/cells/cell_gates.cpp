#include "transformations/cells/cell_gates.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/support/strings.hpp"

namespace rondo::passes {

using ops::ActivationFunction;
using ops::ActivationKind;

bool is_one(const UnitNumbers& numbers) { return numbers == UnitNumbers{1}; }

bool has_term(const GateFormula& formula, GateAtoms atoms, float factor) {
    std::sort(atoms.begin(), atoms.end());
    return std::any_of(formula.terms.begin(), formula.terms.end(), [&](const GateTerm& term) {
        return term.atoms == atoms && term.factor == UnitNumbers{factor};
    });
}

bool can_complement(const ActivationFunction& function) {
    const bool is_plain_hard = function == ActivationFunction{ActivationKind::hard_sigmoid, 1, 0};
    return function.kind == ActivationKind::sigmoid || is_plain_hard;
}

GateAffine complement(const GateAffine& gate, std::size_t units,
                      const ActivationFunction& function) {
    GateAffine result = GateAlgebra::scaled(gate, units, {-1});
    if (function.kind != ActivationKind::sigmoid) {
        for (float& number : result.bias) number += 1;
    }
    return result;
}

const GateAtom* activation(const GateAlgebra& algebra, std::size_t atom) {
    const GateAtom& found = algebra.atom(atom);
    return found.kind == GateAtom::Kind::activation ? &found : nullptr;
}

bool is_plain_gate(const GateAlgebra& algebra, const GateAffine& gate) {
    return std::none_of(gate.products.begin(), gate.products.end(), [&](const auto& product) {
        return algebra.source(product.source).kind == GateSource::Kind::formula;
    });
}

bool is_plain_gate(const GateAlgebra& algebra, const GateFormula& gate) {
    return gate.is_affine() && is_plain_gate(algebra, gate.affine);
}

void set_activations(CellFormula& cell, const std::vector<ActivationFunction>& functions) {
    for (const ActivationFunction& function : functions) {
        const ops::ActivationInfo& info = ops::info_of(function.kind);
        cell.attributes.activations.push_back(to_lower(info.name));
        if (info.takes_alpha) cell.attributes.activations_alpha.push_back(function.alpha);
        if (info.takes_beta) cell.attributes.activations_beta.push_back(function.beta);
    }
}

bool GateCollector::fits(const GateProduct& product) const {
    const GateSource& source = algebra_.source(product.source);
    if (source.kind == GateSource::Kind::input) return true;
    const bool is_other = source.kind == GateSource::Kind::state && source.number != hidden_state_;
    return !is_other && product.k == units_;
}

bool GateCollector::finish(CellFormula& cell) const {
    bool recurs = false;
    for (const GateAffine& gate : gates_) {
        for (const GateProduct& product : gate.products) {
            if (!fits(product)) return false;
            recurs |= algebra_.source(product.source).kind != GateSource::Kind::input;
        }
    }
    if (!recurs) return false;
    collect_inputs(cell);
    const std::size_t rows = gates_.size() * units_;
    const std::size_t width =
        std::accumulate(cell.input_sizes.begin(), cell.input_sizes.end(), std::size_t{0});
    const std::size_t biases = gates_.size() + (extra_bias_.empty() ? 0 : 1);
    cell.w = Tensor(ElementType::f32, {1, rows, width});
    cell.r = Tensor(ElementType::f32, {1, rows, units_});
    cell.b = Tensor(ElementType::f32, {1, biases * units_});
    std::fill_n(cell.w.data<float>(), cell.w.size(), 0.0F);
    std::fill_n(cell.r.data<float>(), cell.r.size(), 0.0F);
    for (std::size_t i = 0; i < gates_.size(); ++i) put_gate(cell, i);
    if (!extra_bias_.empty()) put_bias(cell, gates_.size(), extra_bias_);
    return true;
}

void GateCollector::collect_inputs(CellFormula& cell) const {
    for (const GateAffine& gate : gates_) {
        for (const GateProduct& product : gate.products) {
            const GateSource& source = algebra_.source(product.source);
            if (source.kind != GateSource::Kind::input) continue;
            if (place_of(cell, product) < cell.inputs.size()) continue;
            cell.inputs.push_back(source.number);
            cell.input_sizes.push_back(product.k);
        }
    }
}

// The place of an input among those of the cell; their number for H.
std::size_t GateCollector::place_of(const CellFormula& cell, const GateProduct& product) const {
    const GateSource& source = algebra_.source(product.source);
    if (source.kind != GateSource::Kind::input) return cell.inputs.size();
    const auto found = std::find(cell.inputs.begin(), cell.inputs.end(), source.number);
    return static_cast<std::size_t>(found - cell.inputs.begin());
}

void GateCollector::put_gate(CellFormula& cell, std::size_t index) const {
    for (const GateProduct& product : gates_[index].products) {
        const std::size_t place = place_of(cell, product);
        const bool is_input = place < cell.inputs.size();
        const auto first = cell.input_sizes.begin();
        const std::size_t column =
            is_input
                ? std::accumulate(first, first + static_cast<std::ptrdiff_t>(place), std::size_t{0})
                : 0;
        put_rows(product, is_input ? cell.w : cell.r, index * units_, column);
    }
    put_bias(cell, index, gates_[index].bias);
}

void GateCollector::put_rows(const GateProduct& product, Tensor& matrix, std::size_t first_row,
                             std::size_t column) const {
    const std::size_t width = matrix.shape()[2];
    for (std::size_t unit = 0; unit < units_; ++unit) {
        float* to = matrix.data<float>() + (first_row + unit) * width + column;
        if (product.weights.empty()) {
            to[unit] = 1;
        } else {
            std::copy_n(product.weights.begin() + unit * product.k, product.k, to);
        }
    }
}

void GateCollector::put_bias(CellFormula& cell, std::size_t index, const UnitNumbers& bias) const {
    float* to = cell.b.data<float>() + index * units_;
    for (std::size_t i = 0; i < units_; ++i) to[i] = bias[bias.size() == 1 ? 0 : i];
}

}  // namespace rondo::passes
