#include "frontend/onnx/ops/common/building_blocks.hpp"

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/transpose.hpp"
#include "core/ops/source/constant.hpp"
#include "core/ops/source/shape_of.hpp"
#include "frontend/onnx/context/filled_tensor.hpp"

namespace rondo::onnx {

Output make_ints(NodeContext& context, const std::string& role,
                 const std::vector<std::int64_t>& values) {
    return context.finish(ops::make_i64(values, ""), role);
}

Output make_int_scalar(NodeContext& context, const std::string& role, std::int64_t value) {
    return context.finish(ops::make_i64_scalar(value, ""), role);
}

Output make_filled(NodeContext& context, const std::string& role, ElementType type,
                   const Shape& shape, double value) {
    return context.make<ops::Constant>(role, filled_tensor(type, shape, value));
}

Output make_transpose(NodeContext& context, const std::string& role, const Output& data,
                      const std::vector<std::int64_t>& order) {
    return context.make<ops::Transpose>(role, data, make_ints(context, role + "/order", order));
}

Output make_reshape(NodeContext& context, const std::string& role, const Output& data,
                    const std::vector<std::int64_t>& pattern) {
    const Output constant =
        make_ints(context, role.empty() ? "pattern" : role + "/pattern", pattern);
    return context.make<ops::Reshape>(role, data, constant, true);
}

Output make_concat(NodeContext& context, const std::string& role, std::vector<Output> parts,
                   std::int64_t axis) {
    return context.make<ops::Concat>(role, std::move(parts), axis);
}

std::vector<Output> make_split(NodeContext& context, const std::string& role, const Output& data,
                               std::int64_t axis, std::int64_t parts) {
    const Output constant = make_int_scalar(context, role.empty() ? "axis" : role + "/axis", axis);
    return outputs_of(context.make<ops::Split>(role, data, constant, parts));
}

Output make_sum(NodeContext& context, const std::string& role, const Output& a, const Output& b) {
    return context.make<ops::Binary>(role, ops::BinaryFunction::add, a, b);
}

Output make_shape_of(NodeContext& context, const std::string& role, const Output& data) {
    return context.make<ops::ShapeOf>(role, data);
}

Output make_element(NodeContext& context, const std::string& role, const Output& vector,
                    std::int64_t index) {
    return context.make<ops::Gather>(role, vector, make_ints(context, role + "/index", {index}),
                                     make_int_scalar(context, role + "/axis", 0));
}

Output make_broadcast(NodeContext& context, const std::string& role, const Output& value,
                      const Output& shape) {
    return context.make<ops::Broadcast>(role, value, shape);
}

std::optional<std::int64_t> known_elements(const PartialShape& shape, std::size_t from,
                                           std::size_t to) {
    Shape extents;
    for (std::size_t i = from; i < to; ++i) {
        if (!shape[i].is_static()) return std::nullopt;
        extents.push_back(static_cast<std::size_t>(shape[i].length()));
    }
    return static_cast<std::int64_t>(element_count(extents));
}

std::vector<Output> outputs_of(const NodePtr& node) {
    std::vector<Output> outputs;
    for (std::size_t i = 0; i < node->output_count(); ++i) outputs.push_back(node->output(i));
    return outputs;
}

}  // namespace rondo::onnx
