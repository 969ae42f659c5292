#include "transformations/common/axis_order.hpp"

#include "core/graph/infer_context.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {

std::optional<AxisOrder> order_of(const ops::Transpose& transpose) {
    const PartialShape& data = transpose.input(0).shape();
    const auto order = constant_ints(transpose.input(1));
    if (!data.has_rank() || !order) return {};
    const InferContext context(transpose, {});
    return ops::transpose_order(context, *order, data.rank());
}

bool is_identity(const AxisOrder& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != i) return false;
    }
    return true;
}

bool moves_only_unit_axes(const AxisOrder& order, const PartialShape& data) {
    std::size_t next = 0;
    for (const std::size_t axis : order) {
        if (data[axis] == Dimension(1)) continue;
        if (axis < next) return false;
        next = axis;
    }
    return true;
}

AxisOrder combine(const AxisOrder& first, const AxisOrder& second) {
    AxisOrder result;
    for (const std::size_t axis : second) result.push_back(first[axis]);
    return result;
}

AxisOrder inverse(const AxisOrder& order) {
    AxisOrder result(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = i;
    return result;
}

std::vector<std::int64_t> to_ints(const std::vector<std::size_t>& axes) {
    return {axes.begin(), axes.end()};
}

}  // namespace rondo::passes
