// Clip: the smaller of max and the larger of min and the data.
#include "core/ops/elementwise/binary.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

using ops::BinaryFunction;

// Bounds that are empty are absent. The last op made has the node's name.
std::vector<Output> bounded(NodeContext& context, const Output& data, const Output& min,
                            const Output& max) {
    Output result = data;
    if (min) {
        result = context.make<ops::Binary>(max ? "min" : "", BinaryFunction::maximum, result, min);
    }
    if (max) result = context.make<ops::Binary>("", BinaryFunction::minimum, result, max);
    return {result};
}

std::vector<Output> clip_1(NodeContext& context) {
    skip_consumed_inputs(context);
    const Output data = context.input(0);
    const auto bound = [&](const char* name) -> Output {
        const auto value = context.attributes().find_float(name);
        if (!value) return {};
        const ElementType type = NodeContext::known_type(data, "input");
        return make_filled(context, std::string(name) + "_value", type, {},
                           static_cast<double>(*value));
    };
    const Output min = bound("min");
    return bounded(context, data, min, bound("max"));
}

std::vector<Output> clip_11(NodeContext& context) {
    return bounded(context, context.input(0), context.optional_input(1), context.optional_input(2));
}

constexpr OpEntry kEntries[] = {
    {"", "Clip", 1, clip_1},
    {"", "Clip", 11, clip_11},
};

}  // namespace

std::span<const OpEntry> clip_converters() { return kEntries; }

}  // namespace rondo::onnx
