// Converts OneHot: a new axis on which the place that an index names is "on".
#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/source/range.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kFromEndSince = 11;

Output as_i64(NodeContext& context, const std::string& role, const Output& value) {
    if (value.element_type() == ElementType::i64) return value;
    return context.make<ops::Convert>(role, value, ElementType::i64);
}

// How many axes of the output stand behind the new one.
std::int64_t axes_behind(NodeContext& context, const PartialShape& indices) {
    const std::int64_t axis = context.attributes().find_int("axis").value_or(-1);
    if (!indices.has_rank()) {
        if (axis == -1) return 0;
        throw UnsupportedError("axis is " + std::to_string(axis) +
                               ", but the rank of indices isn't known; expected -1");
    }
    const auto rank = static_cast<std::int64_t>(indices.rank());
    if (axis < -rank - 1 || axis > rank) {
        throw ModelError("axis is " + std::to_string(axis) + ", but indices have shape " +
                         to_string(indices) + "; expected " + std::to_string(-rank - 1) + " to " +
                         std::to_string(rank));
    }
    return axis < 0 ? -1 - axis : rank - axis;
}

// Since opset 11 indices below 0 count from the end; those that are out of range name no place.
Output places_of(NodeContext& context, const Output& indices, const Output& depth) {
    const Output whole = as_i64(context, "indices", indices);
    // The greatest u64 become numbers below 0, which name no place either.
    if (context.opset() < kFromEndSince || indices.element_type() == ElementType::u64) {
        return whole;
    }
    const Output is_below = context.make<ops::Compare>("is_below_0", ops::CompareFunction::less,
                                                       whole, make_int_scalar(context, "zero", 0));
    return context.make<ops::Select>("places", is_below,
                                     make_sum(context, "from_end", whole, depth), whole);
}

}  // namespace

std::vector<Output> convert_one_hot(NodeContext& context) {
    const Output indices = context.input(0);
    const Output values = context.input(2);
    const std::int64_t behind = axes_behind(context, indices.shape());
    // A scalar, or a vector of one element.
    const Output depth =
        make_reshape(context, "depth", as_i64(context, "depth_i64", context.input(1)), {});
    const Output range =
        context.make<ops::Range>("range", make_int_scalar(context, "start", 0), depth,
                                 make_int_scalar(context, "step", 1), ElementType::i64);
    std::vector<std::int64_t> pattern(static_cast<std::size_t>(behind + 1), 1);
    pattern.front() = -1;
    const Output along = make_reshape(context, "along", range, pattern);
    const Output wide = context.make<ops::Unsqueeze>("wide", places_of(context, indices, depth),
                                                     make_ints(context, "axes", {-1 - behind}));
    const Output is_on =
        context.make<ops::Compare>("is_on", ops::CompareFunction::equal, wide, along);
    const auto parts = make_split(context, "values", values, 0, 2);
    return {context.make<ops::Select>("", is_on, parts[1], parts[0])};
}

}  // namespace rondo::onnx
