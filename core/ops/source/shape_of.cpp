// The shape of a tensor, as a tensor.
#include "core/ops/source/source_ops.hpp"

#include <limits>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {
namespace {

constexpr std::int64_t kMaxInI32 = std::numeric_limits<std::int32_t>::max();

}  // namespace

Tensor shape_tensor(const Shape& shape, ElementType type) {
    Tensor tensor(type, {shape.size()});
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (type == ElementType::i32) {
            tensor.data<std::int32_t>()[i] = static_cast<std::int32_t>(shape[i]);
        } else {
            tensor.data<std::int64_t>()[i] = static_cast<std::int64_t>(shape[i]);
        }
    }
    return tensor;
}

Tensor ShapeOf::known_value(std::size_t) const {
    if (!input(0).shape().is_static()) return {};
    return shape_tensor(input(0).shape().to_shape(), output_type_);
}

std::vector<Dimension> ShapeOf::known_extents(std::size_t, int) const {
    const PartialShape& shape = input(0).shape();
    return shape.has_rank() ? shape.dimensions() : std::vector<Dimension>();
}

void ShapeOf::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    context.check(
        output_type_ == ElementType::i64 || output_type_ == ElementType::i32,
        "output_type is " + std::string(to_string(output_type_)) + "; expected i64 or i32");
    const PartialShape& data = context.shape(0);
    Dimension rank;
    if (data.has_rank()) rank = static_cast<std::int64_t>(data.rank());
    for (const auto& extent : data.dimensions()) {
        context.check(output_type_ != ElementType::i32 || extent.min() <= kMaxInI32,
                      "the extents of data of shape " + to_string(data) + " don't fit in i32");
    }
    context.set_output(0, output_type_, PartialShape{rank});
}

}  // namespace rondo::ops
