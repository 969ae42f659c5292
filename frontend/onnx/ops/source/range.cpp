// Converts Range.
#include "core/ops/source/range.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/source/converters.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> convert_range(NodeContext& context) {
    const Output start = context.input(0);
    const ElementType type = NodeContext::known_type(start, "start");
    return {context.make<ops::Range>("", start, context.input(1), context.input(2), type)};
}

constexpr OpEntry kEntries[] = {
    {"", "Range", 11, convert_range},
};

}  // namespace

std::span<const OpEntry> range_converters() { return kEntries; }

}  // namespace rondo::onnx
