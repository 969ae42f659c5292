#include "core/ops/product/matmul.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/families.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// An operand's matrices: rows x columns as multiplied, and the axes in front of them.
struct Operand {
    PartialShape batch;
    Dimension rows;
    Dimension columns;
};

// A vector is a row on the left, a column on the right.
enum class Side : std::uint8_t { left, right };

Operand operand(const PartialShape& shape, Side side, bool transposed) {
    const auto& extents = shape.dimensions();
    if (extents.size() == 1) {
        const PartialShape none(std::vector<Dimension>{});
        return side == Side::left ? Operand{none, 1, extents[0]} : Operand{none, extents[0], 1};
    }
    Dimension rows = extents[extents.size() - 2];
    Dimension columns = extents[extents.size() - 1];
    if (transposed) std::swap(rows, columns);
    return {std::vector<Dimension>(extents.begin(), extents.end() - 2), rows, columns};
}

}  // namespace

PartialShape product_shape(const InferContext& context, Transposition transposed) {
    const PartialShape& a = context.shape(0);
    const PartialShape& b = context.shape(1);
    for (const PartialShape* shape : {&a, &b}) {
        context.check(!shape->has_rank() || shape->rank() > 0,
                      "an input is a scalar; expected rank 1 or more");
    }
    if (!a.has_rank() || !b.has_rank()) return {};
    const Operand left = operand(a, Side::left, transposed.a);
    const Operand right = operand(b, Side::right, transposed.b);
    if (!left.columns.intersect(right.rows).has_value()) {
        context.fail("the inputs have shapes " + to_string(a) + " and " + to_string(b) +
                     ", so that " + to_string(left.columns) + " columns meet " +
                     to_string(right.rows) + " rows; expected as many");
    }
    std::vector<Dimension> result = broadcast_shapes(context, left.batch, right.batch).dimensions();
    if (a.rank() > 1) result.push_back(left.rows);
    if (b.rank() > 1) result.push_back(right.columns);
    return result;
}

IndependentAxis product_rows(std::size_t a_rank, std::size_t b_rank, std::size_t axis,
                             Transposition transposed, std::size_t input_count) {
    IndependentAxis rows(input_count, 1, axis);
    const std::size_t batch = std::max({a_rank, b_rank, std::size_t{2}}) - 2;
    if (axis < batch) {
        rows.broadcasts = true;
        const std::size_t ranks[] = {a_rank, b_rank};
        for (std::size_t i = 0; i < 2; ++i) {
            const std::size_t first = batch + 2 - ranks[i];  // of the axes that the operand has
            if (ranks[i] > 1 && axis >= first) rows.inputs[i] = axis - first;
        }
    } else if (axis == batch && a_rank > 1) {
        rows.inputs[0] = transposed.a ? a_rank - 1 : a_rank - 2;
    } else {
        rows.inputs[1] = transposed.b ? b_rank - 2 : b_rank - 1;
    }
    return rows;
}

void MatMul::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.merge_types({0, 1});
    if (type == ElementType::boolean) context.refuse("the inputs are boolean; expected numbers");
    context.set_output(0, type, product_shape(context, {transpose_a_, transpose_b_}));
}

std::optional<IndependentAxis> MatMul::independent_axis(std::size_t, std::size_t axis) const {
    return product_rows(input(0).shape().rank(), input(1).shape().rank(), axis,
                        {transpose_a_, transpose_b_});
}

namespace {

// Inputs 0 and 1 are the matrices, 2 and 3 their zero points.
constexpr std::size_t kZeroPoints = 2;
constexpr const char* kNames[] = {"a", "b"};

void check_types(const InferContext& context, std::size_t matrix) {
    const ElementType type = context.type(matrix);
    if (type != ElementType::u8 && type != ElementType::i8 && type != ElementType::dynamic) {
        context.refuse(std::string(kNames[matrix]) + " has type " + std::string(to_string(type)) +
                       "; expected type u8 or i8");
    }
    context.merge_types({matrix, matrix + kZeroPoints});
}

// The axis of K: the last one of a, the one before that of b; that of a vector is its only one.
std::size_t inner_from_end(std::size_t matrix, const PartialShape& shape) {
    return matrix == 0 || shape.rank() == 1 ? 1 : 2;
}

void check_zero_point(const InferContext& context, std::size_t matrix) {
    const PartialShape& whole = context.shape(matrix);
    const PartialShape& zero = context.shape(matrix + kZeroPoints);
    if (!whole.has_rank() || !zero.has_rank() || whole.rank() == 0) return;
    const std::size_t inner = inner_from_end(matrix, whole);
    bool fits = zero.rank() <= whole.rank();
    for (std::size_t i = 1; fits && i <= zero.rank(); ++i) {
        const Dimension& extent = zero[zero.rank() - i];
        fits = extent.contains(1) ||
               (i != inner && extent.intersect(whole[whole.rank() - i]).has_value());
    }
    const std::string name = kNames[matrix];
    context.check(fits, name + "_zero_point has shape " + to_string(zero) + ", but " + name +
                            " has shape " + to_string(whole) +
                            "; expected the same extents or 1, and 1 along the inner axis");
}

// The axis of a zero point that meets `axis` of its matrix.
std::size_t met_axis(const PartialShape& zero, const PartialShape& matrix, std::size_t axis) {
    const std::size_t from_end = matrix.rank() - axis;
    return zero.rank() >= from_end ? zero.rank() - from_end : IndependentAxis::kWhole;
}

}  // namespace

void MatMulInteger::infer(InferContext& context) const {
    context.check_input_count(4, 4);
    for (const std::size_t matrix : {0, 1}) {
        check_types(context, matrix);
        check_zero_point(context, matrix);
    }
    context.set_output(0, ElementType::i32, product_shape(context, {}));
}

std::optional<IndependentAxis> MatMulInteger::independent_axis(std::size_t,
                                                               std::size_t axis) const {
    IndependentAxis rows =
        product_rows(input(0).shape().rank(), input(1).shape().rank(), axis, {}, input_count());
    rows.broadcasts = true;
    for (const std::size_t matrix : {0, 1}) {
        if (rows.inputs[matrix] == IndependentAxis::kWhole) continue;
        rows.inputs[matrix + kZeroPoints] = met_axis(input(matrix + kZeroPoints).shape(),
                                                     input(matrix).shape(), rows.inputs[matrix]);
    }
    return rows;
}

void Det::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    check_type(context, TypeRule::floating, context.type(0), "the input is");
    const PartialShape& shape = context.shape(0);
    if (!shape.has_rank()) {
        context.set_output(0, context.type(0), PartialShape());
        return;
    }
    const std::size_t rank = shape.rank();
    context.check(rank >= 2 && shape[rank - 1].intersect(shape[rank - 2]),
                  "the input has shape " + to_string(shape) + "; expected square matrices");
    std::vector<Dimension> batch = shape.dimensions();
    batch.resize(rank - 2);
    context.set_output(0, context.type(0), PartialShape(std::move(batch)));
}

std::optional<IndependentAxis> Det::independent_axis(std::size_t, std::size_t axis) const {
    return rows_of_data(*this, axis, axis);
}

}  // namespace rondo::ops
