#include "transformations/cells/element_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/product/matmul.hpp"
#include "transformations/cells/op_formula.hpp"
#include "transformations/common/views.hpp"
#include "transformations/parts/axis_part.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;
using Formula = std::optional<GateFormula>;

bool is_known(const PartialShape& shape, std::size_t axis) {
    return shape.has_rank() && axis < shape.rank() && shape[axis].is_static();
}

// Elements in front of an axis, and behind it.
std::pair<std::size_t, std::size_t> blocks_around(const Shape& shape, std::size_t axis) {
    std::size_t before = 1, behind = 1;
    for (std::size_t i = 0; i < axis; ++i) before *= shape[i];
    for (std::size_t i = axis + 1; i < shape.size(); ++i) behind *= shape[i];
    return {before, behind};
}

}  // namespace

// An element that keeps its axis is one of rows, unless that axis is the last.
std::optional<ElementReader::Element> ElementReader::element_of(const Output& value) {
    auto found = single_part(value);
    if (!found) {
        const auto part = axis_part(value);
        found = part ? passes::element_of(*part) : std::nullopt;
        if (found && found->axis + 1 == found->source.shape().rank()) return {};
    }
    if (!found) return {};
    return Element{found->source, found->axis, static_cast<std::size_t>(found->index)};
}

Formula ElementReader::read(const Output& value) const {
    const auto element = element_of(value);
    return element ? read(*element) : std::nullopt;
}

Formula ElementReader::read(const Element& element) const {
    const Output& source = element.source;
    if (source.element_type() != ElementType::f32 || element.rank() < 2) return {};
    if (known_value(source)) return read_numbers(element);
    const Node& node = source.node();
    if (const auto function = activation_of(node)) {
        const Formula argument = read(Element{node.input(0), element.axis, element.index});
        return argument ? std::optional(algebra_.activation(*function, *argument)) : std::nullopt;
    }
    const auto* binary = as_op<ops::Binary>(node);
    if (binary != nullptr) {
        const Formula a = read_operand(element, node.input(0));
        const Formula b = a ? read_operand(element, node.input(1)) : Formula();
        return b ? combined(algebra_, binary->function(), *a, *b) : std::nullopt;
    }
    if (as_op<ops::Transpose>(node) != nullptr) return read_transpose(element);
    if (as_op<ops::MatMul>(node) != nullptr) return read_product(element);
    return node.traits().view ? read_view(element) : std::nullopt;
}

// What has no such axis, or only one element of it, is the same for all.
Formula ElementReader::read_operand(const Element& element, const Output& operand) const {
    const PartialShape& shape = operand.shape();
    if (!shape.has_rank() || shape.rank() > element.rank()) return {};
    const std::size_t missing = element.rank() - shape.rank();
    if (element.axis < missing) return rows_.read(operand);
    const Element part{operand, element.axis - missing, element.index};
    if (!is_known(shape, part.axis)) return {};
    if (part.extent() != 1) return read(part);
    return part.is_last() ? read(Element{operand, part.axis, 0}) : rows_.read(operand);
}

Formula ElementReader::read_numbers(const Element& element) const {
    const Tensor dense = known_value(element.source).contiguous();
    const auto [before, behind] = blocks_around(dense.shape(), element.axis);
    if (before * behind == 0) return {};
    UnitNumbers numbers;
    for (std::size_t block = 0; block < before; ++block) {
        const float* first =
            dense.data<float>() + (block * element.extent() + element.index) * behind;
        numbers.insert(numbers.end(), first, first + behind);
    }
    const std::size_t last = element.rank() - (element.is_last() ? 2 : 1);
    const std::size_t units = numbers.size() == 1 ? 1 : dense.shape()[last];
    const auto first = numbers.begin();
    for (std::size_t row = units; row < numbers.size(); row += units) {
        const auto next = first + static_cast<std::ptrdiff_t>(row);
        if (!std::equal(first, first + static_cast<std::ptrdiff_t>(units), next)) return {};
    }
    if (numbers.size() > units) rows_.saw_rows(numbers.size() / units);
    numbers.resize(units);
    return GateAlgebra::numbers(std::move(numbers));
}

// [..,G,H] or [..,H,G], a view of [..,G*H].
Formula ElementReader::read_view(const Element& element) const {
    const PartialShape& shape = element.source.shape();
    const Output& whole = element.source.node().input(0);
    const std::size_t last = element.rank() - 1;
    const std::size_t units_axis = element.is_last() ? last - 1 : last;
    if (!is_known(shape, units_axis) || !is_known(whole.shape(), whole.shape().rank() - 1))
        return {};
    for (std::size_t axis = element.axis + 1; axis < last; ++axis) {
        if (shape[axis] != Dimension(1)) return {};
    }
    const auto units = static_cast<std::size_t>(shape[units_axis].length());
    const Dimension& row = whole.shape()[whole.shape().rank() - 1];
    if (row != Dimension(static_cast<std::int64_t>(units * element.extent()))) return {};
    if (!element.is_last()) return rows_.slice(whole, {element.index * units, units});
    return rows_.slice(whole, {element.index, units, element.extent()});
}

// The other axes must stay in order, except those of extent 1.
Formula ElementReader::read_transpose(const Element& element) const {
    const auto& transpose = *as_op<ops::Transpose>(element.source.node());
    auto order = order_of(transpose);
    if (!order) return {};
    const std::size_t axis = (*order)[element.axis];
    order->erase(order->begin() + static_cast<std::ptrdiff_t>(element.axis));
    const PartialShape& shape = transpose.input(0).shape();
    std::erase_if(*order, [&](std::size_t at) { return shape[at] == Dimension(1); });
    if (!std::is_sorted(order->begin(), order->end())) return {};
    return read(Element{transpose.input(0), axis, element.index});
}

// x [N,I] times [G,I,H], or [G,H,I] transposed.
Formula ElementReader::read_product(const Element& element) const {
    const auto& product = *as_op<ops::MatMul>(element.source.node());
    const Tensor known = known_value(product.input(1));
    const PartialShape& left = product.input(0).shape();
    const bool is_batch = known && known.element_type() == ElementType::f32 &&
                          known.shape().size() == 3 && known.shape()[0] == element.extent() &&
                          element.axis + 3 == element.rank();
    if (!is_batch || product.transpose_a() || !left.has_rank() || left.rank() < 2) return {};
    const bool has_one = left.rank() == 2 || left[left.rank() - 3] == Dimension(1);
    if (!has_one) return {};
    const Tensor dense = known.contiguous();
    const Shape& shape = dense.shape();
    GateMatrix matrix;
    matrix.data = dense.data<float>() + element.index * shape[1] * shape[2];
    matrix.rows = shape[1];
    matrix.units = shape[2];
    matrix.transposed = product.transpose_b();
    matrix.lives = dense.data() == known.data();
    if (matrix.transposed) std::swap(matrix.rows, matrix.units);
    matrix.k = matrix.rows;
    return rows_.product(product.input(0), matrix);
}

}  // namespace rondo::passes
