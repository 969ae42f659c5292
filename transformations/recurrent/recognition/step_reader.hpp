// Reads the nodes of a recurrent step as formulas.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/recurrent/recognition/gate_algebra.hpp"

namespace rondo::passes {

/// Follows values up to what `leaf` knows: the inputs and states of a step. Values are rows of
/// units, in the last axis; axes of extent 1 may come and go in front of them.
///
/// Gates may also be elements of an axis of their own, in [N,G,H], [G,N,H] or [N,H,G]: these are
/// followed through sums, products, activations and transposes up to a view of [N,G*H], a constant,
/// or a product with [G,I,H].
class StepReader {
public:
    /// The formula of a value at which a step begins; nothing for the others.
    using Leaf = std::function<MaybeFormula(const Output&)>;

    StepReader(GateAlgebra& algebra, Leaf leaf) : algebra_(algebra), leaf_(std::move(leaf)) {}

    /// Nothing for what isn't such arithmetic on f32.
    MaybeFormula read(const Output& value);
    /// All of them; empty where one isn't such arithmetic.
    std::vector<GateFormula> read_all(const std::vector<Output>& values);

    /// The node at which reading ended first, since no cell has such an op there; null while all
    /// values were read.
    const Node* unknown() const { return unknown_; }

    /// The numbers of rows of constants that have more than one, all equal: a step has as many.
    const std::vector<std::size_t>& constant_rows() const { return constant_rows_; }
    /// Whether these rows have as many.
    bool has_rows(const Dimension& rows) const;

private:
    /// Element `index` of an axis of known extent.
    struct Element {
        Output source;
        std::size_t axis = 0;
        std::size_t index = 0;

        std::size_t rank() const { return source.shape().rank(); }
        std::size_t extent() const {
            return static_cast<std::size_t>(source.shape()[axis].length());
        }
        bool is_last() const { return axis + 1 == rank(); }
    };

    MaybeFormula read_now(const Output& value);
    MaybeFormula read_node(const Output& value);
    MaybeFormula read_op(const ops::RecurrentOp& op, std::size_t output);
    MaybeFormula read_bound(const Node& node);
    MaybeFormula read_quotient(const Node& node);
    MaybeFormula read_exponentials(const Output& above, const Output& below);
    MaybeFormula read_one_more(const Output& above, const Output& below);
    MaybeFormula read_choice(const Node& node);
    MaybeFormula function_of(ops::ActivationKind kind, const MaybeFormula& argument);
    MaybeFormula combined(const Node& sum, const MaybeFormula& a, const MaybeFormula& b);
    MaybeFormula times(const MaybeFormula& value, float factor);
    MaybeFormula read_product(const ops::MatMul& product);
    MaybeFormula product_with(const Output& left, const GateMatrix& matrix);
    MaybeFormula read_part(const Output& value);
    MaybeFormula sliced(const Output& value, const UnitRange& range);

    MaybeFormula read(const Element& element);
    MaybeFormula read_operand(const Element& element, const Output& operand);
    MaybeFormula read_numbers(const Element& element);
    MaybeFormula read_view(const Element& element);
    MaybeFormula read_transposed(const Element& element, AxisOrder order);
    MaybeFormula read_product(const Element& element, const ops::MatMul& product);

    GateAlgebra& algebra_;
    Leaf leaf_;
    std::map<std::pair<const Node*, std::size_t>, MaybeFormula> known_;
    std::vector<std::size_t> constant_rows_;
    const Node* unknown_ = nullptr;
    int depth_ = 0;
};

}  // namespace rondo::passes
