// Converts Cast and CastLike.
#include "core/ops/elementwise/convert.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kSaturateSince = 19;
constexpr std::int64_t kRoundModeSince = 24;

// How numbers become 8-bit floats; of no effect on other types.
NarrowRounding read_rounding(NodeContext& context) {
    using Scale = NarrowRounding::Scale;
    Attributes& attributes = context.attributes();
    NarrowRounding rounding;
    if (context.opset() >= kSaturateSince) rounding.saturates = attributes.flag("saturate", true);
    if (context.opset() < kRoundModeSince) return rounding;
    const std::string mode = attributes.find_string("round_mode").value_or("up");
    if (mode != "up" && mode != "down" && mode != "nearest") {
        throw ModelError("attribute 'round_mode' is '" + mode + "'; expected up, down or nearest");
    }
    rounding.scale = mode == "up" ? Scale::up : mode == "down" ? Scale::down : Scale::nearest;
    return rounding;
}

Output converted(NodeContext& context, ElementType type) {
    const NarrowRounding rounding = read_rounding(context);
    return context.make<ops::Convert>("", context.input(0), type,
                                      is_narrow(type) ? rounding : NarrowRounding());
}

}  // namespace

// Before opset 6 the type is named, not numbered.
std::vector<Output> convert_cast_1(NodeContext& context) {
    const auto to = context.attributes().find_string("to");
    if (!to) throw ModelError("attribute 'to' is missing");
    return {context.make<ops::Convert>("", context.input(0), element_type_from_name(*to))};
}

std::vector<Output> convert_cast_6(NodeContext& context) {
    const auto to = find_element_type(context.attributes(), "to");
    if (!to) throw ModelError("attribute 'to' is missing");
    return {converted(context, *to)};
}

// The second input is there for its type alone.
std::vector<Output> convert_cast_like(NodeContext& context) {
    return {converted(context, NodeContext::known_type(context.input(1), "target_type"))};
}

}  // namespace rondo::onnx
