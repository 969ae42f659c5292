// Reorders the axes of a tensor.
#include "core/ops/movement/movement_ops.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

std::vector<std::size_t> transpose_order(const InferContext& context,
                                         const std::vector<std::int64_t>& order, std::size_t rank) {
    std::vector<std::size_t> result(rank);
    if (order.empty()) {
        for (std::size_t i = 0; i < rank; ++i) result[i] = rank - 1 - i;
        return result;
    }
    context.check(order.size() == rank, "order has " + std::to_string(order.size()) +
                                            " entries; expected " + std::to_string(rank));
    std::vector<bool> seen(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        result[i] = normalize_axis(context, order[i], rank);
        context.check(!seen[result[i]], "order names axis " + std::to_string(result[i]) + " twice");
        seen[result[i]] = true;
    }
    return result;
}

void Transpose::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const PartialShape& data = context.shape(0);
    const auto order = context.ints(1);
    if (!data.has_rank() || !order) {
        context.set_output(0, context.type(0),
                           data.has_rank() ? PartialShape::of_rank(data.rank()) : PartialShape());
        return;
    }
    std::vector<Dimension> result;
    for (const std::size_t axis : transpose_order(context, *order, data.rank())) {
        result.push_back(data[axis]);
    }
    context.set_output(0, context.type(0), std::move(result));
}

std::optional<IndependentAxis> Transpose::independent_axis(std::size_t, std::size_t axis) const {
    const std::size_t rank = input(0).shape().rank();
    const auto order = constant_ints(input(1));
    if (!order) return std::nullopt;
    if (order->empty()) return rows_of_data(*this, axis, rank - 1 - axis);
    const std::int64_t from = order->at(axis);
    const std::int64_t counted = from < 0 ? from + static_cast<std::int64_t>(rank) : from;
    return rows_of_data(*this, axis, static_cast<std::size_t>(counted));
}

}  // namespace rondo::ops
