// Parts of recognised cells: gates, and the matrices that are made of them.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "transformations/cells/cell_formula.hpp"
#include "transformations/cells/gate_algebra.hpp"

namespace rondo::passes {

/// Numbers of atoms.
using GateAtoms = std::vector<std::size_t>;

bool is_one(const UnitNumbers& numbers);
/// Whether the formula has the product of these atoms, times `factor`.
bool has_term(const GateFormula& formula, GateAtoms atoms, float factor);

/// Whether 1 - f(x) is f of another affine x: sigmoid, and min(max(x, 0), 1).
bool can_complement(const ops::ActivationFunction& function);
/// The affine gate g for which f(g) = 1 - f(gate).
GateAffine complement(const GateAffine& gate, std::size_t units,
                      const ops::ActivationFunction& function);

/// The function that an atom is, or null.
const GateAtom* activation(const GateAlgebra& algebra, std::size_t atom);
/// Whether the gate is a sum of products of inputs and states, and nothing else.
bool is_plain_gate(const GateAlgebra& algebra, const GateAffine& gate);
bool is_plain_gate(const GateAlgebra& algebra, const GateFormula& gate);

/// Writes the names of functions, in the IR's form.
void set_activations(CellFormula& cell, const std::vector<ops::ActivationFunction>& functions);

/// Collects the gates of a cell, in the IR's order, into its matrices.
class GateCollector {
public:
    GateCollector(const GateAlgebra& algebra, std::size_t hidden_state, std::size_t units)
        : algebra_(algebra), hidden_state_(hidden_state), units_(units) {}

    /// Its product with a source that is a formula goes to R, as that with H.
    void add(GateAffine gate) { gates_.push_back(std::move(gate)); }
    /// The bias behind those of the gates.
    void add_bias(const UnitNumbers& bias) { extra_bias_ = bias; }

    /// Fills in W, R, B and the inputs; false where a gate reads another state, or none reads H.
    bool finish(CellFormula& cell) const;

private:
    bool fits(const GateProduct& product) const;
    void collect_inputs(CellFormula& cell) const;
    std::size_t place_of(const CellFormula& cell, const GateProduct& product) const;
    void put_gate(CellFormula& cell, std::size_t index) const;
    void put_rows(const GateProduct& product, Tensor& matrix, std::size_t first_row,
                  std::size_t column) const;
    void put_bias(CellFormula& cell, std::size_t index, const UnitNumbers& bias) const;

    const GateAlgebra& algebra_;
    const std::size_t hidden_state_;
    const std::size_t units_;
    std::vector<GateAffine> gates_;
    UnitNumbers extra_bias_;
};

/// The recognisers of single cells; states by number.
std::optional<CellFormula> recognise_lstm(const GateAlgebra& algebra,
                                          const std::vector<GateFormula>& next,
                                          std::size_t hidden_state);
std::optional<CellFormula> recognise_gru(const GateAlgebra& algebra, const GateFormula& next);
std::optional<CellFormula> recognise_rnn(const GateAlgebra& algebra, const GateFormula& next);

}  // namespace rondo::passes
