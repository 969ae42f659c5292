// Converts Concat.
#include "core/ops/movement/concat.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> convert_concat(NodeContext& context) {
    const auto axis = context.attributes().find_int("axis");
    if (!axis) throw ModelError("attribute 'axis' is missing");
    return {context.make<ops::Concat>("", context.all_inputs(1), *axis)};
}

constexpr OpEntry kEntries[] = {
    {"", "Concat", 4, convert_concat},
};

}  // namespace

std::span<const OpEntry> concat_converters() { return kEntries; }

}  // namespace rondo::onnx
