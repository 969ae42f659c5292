// Where: Select.
#include "core/ops/elementwise/select.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/elementwise/converters.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> where(NodeContext& context) {
    return {context.make<ops::Select>("", context.input(0), context.input(1), context.input(2))};
}

constexpr OpEntry kEntries[] = {
    {"", "Where", 9, where},
};

}  // namespace

std::span<const OpEntry> where_converters() { return kEntries; }

}  // namespace rondo::onnx
