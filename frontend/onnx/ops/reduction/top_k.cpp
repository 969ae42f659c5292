// Converts TopK, ArgMax and ArgMin.
#include "core/ops/reduction/top_k.hpp"

#include <string>

#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/normalization.hpp"
#include "frontend/onnx/ops/reduction/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kCountInputSince = 10;
constexpr std::int64_t kOrdersSince = 11;

Output count_of(NodeContext& context) {
    // The IR wants a scalar.
    if (context.opset() >= kCountInputSince)
        return make_reshape(context, "k", context.input(1), {});
    const auto k = context.attributes().find_int("k");
    if (!k) throw ModelError("attribute 'k' is missing");
    return make_int_scalar(context, "k", *k);
}

Output place_of_best(NodeContext& context, const std::string& role, const Output& x,
                     const ops::TopKAttributes& attributes) {
    return context.make<ops::TopK>(role, x, make_int_scalar(context, role + "/k", 1), attributes)
        ->output(1);
}

// The last of equal elements is the first of the data turned round.
Output last_place_of_best(NodeContext& context, const Output& x,
                          const ops::TopKAttributes& attributes) {
    constexpr std::int64_t kFar = (std::int64_t{1} << 62);
    const auto one = [&](const char* role, std::int64_t value) {
        return make_ints(context, role, {value});
    };
    const Output turned =
        context.make<ops::Slice>("turned", x, one("turned/start", kFar), one("turned/stop", -kFar),
                                 one("turned/step", -1), one("turned/axis", attributes.axis));
    const Output extent =
        make_element(context, "extent", make_shape_of(context, "shape", x), attributes.axis);
    const Output last = make_binary(context, "last", ops::BinaryFunction::subtract, extent,
                                    make_ints(context, "one", {1}));
    return make_binary(context, "place", ops::BinaryFunction::subtract, last,
                       place_of_best(context, "turned_place", turned, attributes));
}

}  // namespace

std::vector<Output> convert_top_k(NodeContext& context) {
    const Output x = context.input(0);
    ops::TopKAttributes attributes;
    attributes.index_type = ElementType::i64;
    attributes.axis = context.attributes().find_int("axis").value_or(-1);
    if (context.opset() >= kOrdersSince) {
        const bool is_largest = context.attributes().flag("largest", true);
        attributes.mode = is_largest ? ops::TopKMode::max : ops::TopKMode::min;
        context.attributes().flag("sorted", true);  // an order that may be any is that one too
    }
    return outputs_of(context.make<ops::TopK>("", x, count_of(context), attributes));
}

std::vector<Output> convert_arg(NodeContext& context, ops::TopKMode mode) {
    const Output x = context.input(0);
    ops::TopKAttributes attributes;
    attributes.index_type = ElementType::i64;
    attributes.mode = mode;
    attributes.axis = context.attributes().find_int("axis").value_or(0);
    const bool keep_dims = context.attributes().flag("keepdims", true);
    const bool is_last = context.attributes().flag("select_last_index", false);
    const Output place = is_last ? last_place_of_best(context, x, attributes)
                                 : place_of_best(context, keep_dims ? "" : "best", x, attributes);
    if (keep_dims) return {place};
    return {context.make<ops::Squeeze>("", place, make_ints(context, "axes", {attributes.axis}))};
}

}  // namespace rondo::onnx
