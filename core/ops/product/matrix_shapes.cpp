#include "core/ops/product/matrix_shapes.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace rondo::ops
