// Converts Cast and CastLike.
#include <limits>

#include "core/ops/elementwise/convert.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kSaturateSince = 19;
constexpr std::int64_t kRoundModeSince = 24;

// Both concern only 8-bit floats, which are refused.
void read_rounding(NodeContext& context) {
    Attributes& attributes = context.attributes();
    if (context.opset() >= kSaturateSince) attributes.flag("saturate", true);
    if (context.opset() >= kRoundModeSince) attributes.find_string("round_mode");
}

std::vector<Output> convert_cast(NodeContext& context) {
    Attributes& attributes = context.attributes();
    const auto to = attributes.find_int("to");
    if (!to) throw ModelError("attribute 'to' is missing");
    if (*to < 0 || *to > std::numeric_limits<std::int32_t>::max()) {
        throw ModelError("attribute 'to' is " + std::to_string(*to) + "; expected a data type");
    }
    read_rounding(context);
    const ElementType type = element_type_from_onnx(static_cast<std::int32_t>(*to));
    return {context.make<ops::Convert>("", context.input(0), type)};
}

// The second input is there for its type alone.
std::vector<Output> convert_cast_like(NodeContext& context) {
    read_rounding(context);
    const ElementType type = NodeContext::known_type(context.input(1), "target_type");
    return {context.make<ops::Convert>("", context.input(0), type)};
}

constexpr OpEntry kEntries[] = {
    {"", "Cast", 6, convert_cast},
    {"", "CastLike", 15, convert_cast_like},
};

}  // namespace

std::span<const OpEntry> cast_converters() { return kEntries; }

}  // namespace rondo::onnx
