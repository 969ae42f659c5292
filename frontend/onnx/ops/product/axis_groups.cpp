#include "frontend/onnx/ops/product/axis_groups.hpp"

#include <optional>

#include "core/ops/common/extents.hpp"
#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/reshape.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"

namespace rondo::onnx {
namespace {

// The product, or nothing while an extent is open.
std::optional<std::int64_t> known_extent(const AxisGroup& group) {
    std::int64_t product = 1;
    for (const AxisOf& axis : group) {
        const Dimension extent = extent_of(axis);
        if (!extent.is_static()) return std::nullopt;
        product = ops::saturating_multiply(product, extent.length());
    }
    if (product == Dimension::kInfinity) return std::nullopt;
    return product;
}

// 0 copies an extent, -1 is what is left; nothing where more than one group would need -1.
std::optional<std::vector<std::int64_t>> known_pattern(const Output& data,
                                                       const std::vector<AxisGroup>& groups) {
    std::vector<std::int64_t> pattern;
    bool has_rest = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const AxisGroup& group = groups[i];
        const bool is_copied = group.size() == 1 && group[0].tensor == data && group[0].axis == i;
        const std::int64_t extent = known_extent(group).value_or(0);
        if (is_copied || extent != 0) {
            pattern.push_back(is_copied ? 0 : extent);
        } else if (has_rest) {
            return std::nullopt;
        } else {
            pattern.push_back(-1);
            has_rest = true;
        }
    }
    return pattern;
}

// i64 [1], computed when the model runs.
Output computed_extent(NodeContext& context, const std::string& role, const AxisGroup& group) {
    if (const auto known = known_extent(group)) return make_ints(context, role, {*known});
    Output product;
    for (const AxisOf& axis : group) {
        const Output extent = make_element(context, role + "/extent",
                                           make_shape_of(context, role + "/shape", axis.tensor),
                                           static_cast<std::int64_t>(axis.axis));
        product = product ? Output(context.make<ops::Binary>(
                                role + "/product", ops::BinaryFunction::multiply, product, extent))
                          : extent;
    }
    return product;
}

}  // namespace

Dimension extent_of(const AxisOf& axis) {
    const PartialShape& shape = axis.tensor.shape();
    return shape.has_rank() ? shape[axis.axis] : Dimension();
}

Output make_extents(NodeContext& context, const std::string& role,
                    const std::vector<AxisGroup>& groups) {
    std::vector<Output> extents;
    for (const AxisGroup& group : groups) extents.push_back(computed_extent(context, role, group));
    return make_concat(context, role, extents, 0);
}

Output reshape_to_groups(NodeContext& context, const std::string& role, const Output& data,
                         const std::vector<AxisGroup>& groups) {
    if (const auto pattern = known_pattern(data, groups)) {
        return make_reshape(context, role, data, *pattern);
    }
    return reshape_exactly(context, role, data, groups);
}

Output reshape_exactly(NodeContext& context, const std::string& role, const Output& data,
                       const std::vector<AxisGroup>& groups) {
    return context.make<ops::Reshape>(role, data, make_extents(context, role + "/pattern", groups),
                                      false);
}

}  // namespace rondo::onnx
