#include "core/ops/product/matmul_integer.hpp"

#include <algorithm>
#include <string>

#include "core/ops/product/matrix_shapes.hpp"

namespace rondo::ops {
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

}  // namespace rondo::ops
