// Reads the nodes of a recurrent step as formulas.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/cells/gate_algebra.hpp"

namespace rondo::passes {

/// Follows values up to what `leaf` knows: the inputs and states of a step. Values are rows of
/// units, in the last axis; axes of extent 1 may come and go in front of them.
class StepReader {
public:
    /// The formula of a value at which a step begins; nothing for the others.
    using Leaf = std::function<std::optional<GateFormula>(const Output&)>;

    StepReader(GateAlgebra& algebra, Leaf leaf) : algebra_(algebra), leaf_(std::move(leaf)) {}

    /// Nothing for what isn't such arithmetic on f32.
    std::optional<GateFormula> read(const Output& value);

    /// The node at which reading ended first, since no cell has such an op there; null while all
    /// values were read.
    const Node* unknown() const { return unknown_; }

    /// The numbers of rows of constants that have more than one, all equal: a step has as many.
    const std::vector<std::size_t>& constant_rows() const { return constant_rows_; }

private:
    using Formula = std::optional<GateFormula>;

    Formula read_now(const Output& value);
    Formula read_node(const Output& value);
    Formula read_op(const ops::RecurrentOp& op, std::size_t output);
    Formula read_binary(const Node& node);
    Formula read_bound(const Node& node);
    Formula read_quotient(const Node& node);
    Formula read_exponentials(const Output& above, const Output& below);
    Formula read_one_more(const Output& above, const Output& below);
    Formula read_choice(const Node& node);
    Formula function_of(ops::ActivationKind kind, const Formula& argument);
    Formula times(const Formula& value, float factor);
    Formula read_product(const Node& node);
    Formula product_with(const Output& left, const GateMatrix& matrix);
    Formula read_part(const Output& value);
    Formula read_element(const Output& value);
    Formula sliced(const Output& value, const UnitRange& range);

    GateAlgebra& algebra_;
    Leaf leaf_;
    std::map<std::pair<const Node*, std::size_t>, Formula> known_;
    std::vector<std::size_t> constant_rows_;
    const Node* unknown_ = nullptr;
    int depth_ = 0;
};

}  // namespace rondo::passes
