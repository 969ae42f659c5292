// Converts Range.
#include "core/ops/source/range.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/source/converters.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kStashTypeSince = 27;

// Some exporters write the scalar as a vector of one element.
Output number(NodeContext& context, std::size_t input, const char* role) {
    const Output value = context.input(input);
    if (value.shape() == PartialShape(Shape{})) return value;
    return make_reshape(context, role, value, {});
}

std::vector<Output> range_of(NodeContext& context, const Output& step) {
    const ElementType type = NodeContext::known_type(context.input(0), "start");
    return {context.make<ops::Range>("", number(context, 0, "start"), number(context, 1, "limit"),
                                     step, type)};
}

}  // namespace

std::vector<Output> convert_range(NodeContext& context) {
    // The least precision that sums of 16-bit floats must have; they are computed in double.
    if (context.opset() >= kStashTypeSince) context.attributes().find_int("stash_type");
    return range_of(context, number(context, 2, "delta"));
}

// The step may be left out: 1.
std::vector<Output> convert_microsoft_range(NodeContext& context) {
    if (context.has_input(2)) return convert_range(context);
    return range_of(context, make_int_scalar(context, "delta", 1));
}

}  // namespace rondo::onnx
