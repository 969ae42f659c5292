// The greatest or least elements along an axis, and their places.
#include "core/ops/reduction/reduction_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {

void TopK::infer(InferContext& context) const {
    context.check_input_count(2, 2);
    const ElementType type = context.type(0);
    if (type == ElementType::boolean) context.refuse("the data is boolean; expected numbers");
    const ElementType index_type = attributes_.index_type;
    context.check(
        index_type == ElementType::i64 || index_type == ElementType::i32,
        "index_element_type is " + std::string(to_string(index_type)) + "; expected i64 or i32");
    vector_length(context, 1, "k");  // checks its type and rank
    const auto k = single_int(context, 1, "k");
    context.check(!k || *k >= 0, "k is " + std::to_string(k.value_or(0)) + "; expected 0 or more");
    PartialShape shape = context.shape(0);
    if (shape.has_rank()) {
        const std::size_t axis = normalize_axis(context, attributes_.axis, shape.rank());
        context.check(!k || *k <= shape[axis].max(),
                      "k is " + std::to_string(k.value_or(0)) + ", but the data has shape " +
                          to_string(shape) + "; expected at most the extent of axis " +
                          std::to_string(axis));
        shape[axis] = k ? Dimension(*k) : Dimension(0, shape[axis].max());
    }
    context.set_output(0, type, shape);
    context.set_output(1, index_type, std::move(shape));
}

std::optional<IndependentAxis> TopK::independent_axis(std::size_t, std::size_t axis) const {
    const auto own = named_among({attributes_.axis}, input(0).shape().rank());
    if (!own || (*own)[axis]) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

std::vector<ExtentSource> TopK::extent_sources(std::size_t, std::size_t axis) const {
    const PartialShape& data = input(0).shape();
    const auto own = data.has_rank() ? named_among({attributes_.axis}, data.rank()) : std::nullopt;
    if (!own) return {};
    return {(*own)[axis] ? ExtentSource{1, 0, true} : ExtentSource{0, axis}};
}

}  // namespace rondo::ops
