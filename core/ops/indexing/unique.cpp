// Which slices of a tensor differ: what the op Unique finds, for its shapes and for its kernels.
#include "core/ops/indexing/indexing_ops.hpp"

#include <algorithm>
#include <string>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"

namespace rondo::ops {
namespace {

void check_type_of(const InferContext& context, ElementType type, const char* attribute) {
    context.check(
        type == ElementType::i64 || type == ElementType::i32,
        std::string(attribute) + " is " + std::string(to_string(type)) + "; expected i64 or i32");
}

// As many as there are slices at most.
Dimension some_of(const Dimension& slices) {
    return {std::min<std::int64_t>(slices.min(), 1), slices.max()};
}

}  // namespace

std::optional<std::size_t> unique_axis(const InferContext& context, std::size_t rank) {
    if (context.input_count() < 2) return std::nullopt;
    return normalize_axis(context, *single_int(context, 1, "axis"), rank);
}

void Unique::infer(InferContext& context) const {
    context.check_input_count(1, 2);
    check_type_of(context, attributes_.index_type, "index_element_type");
    check_type_of(context, attributes_.count_type, "count_element_type");
    const bool has_axis = context.input_count() == 2;
    if (has_axis) vector_length(context, 1, "axis");
    const bool axis_is_known = !has_axis || single_int(context, 1, "axis").has_value();
    const PartialShape& data = context.shape(0);
    PartialShape unique = has_axis ? PartialShape() : PartialShape::of_rank(1);
    Dimension slices, kept;
    if (data.has_rank() && axis_is_known) {
        const auto axis = unique_axis(context, data.rank());
        slices = axis ? data[*axis] : multiply_extents(context, data.dimensions());
        kept = some_of(slices);
        // Asked of a copy: the op runs without knowing the elements before.
        const InferContext copy = context;
        if (const Tensor& value = copy.value(0)) {
            const SliceSizes sizes = slice_sizes(value.shape(), axis);
            const auto found = find_unique(value.contiguous(), sizes, true);
            kept = static_cast<std::int64_t>(found.first.size());
        }
        if (axis) unique = data;
        unique[axis.value_or(0)] = kept;
    } else if (data.has_rank()) {
        unique = PartialShape::of_rank(data.rank());
    }
    context.set_output(0, context.type(0), std::move(unique));
    context.set_output(1, attributes_.index_type, PartialShape{kept});
    context.set_output(2, attributes_.index_type, PartialShape{slices});
    context.set_output(3, attributes_.count_type, PartialShape{kept});
}

}  // namespace rondo::ops
