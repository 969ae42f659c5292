// Converts Det.
#include "core/ops/product/det.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/product/converters.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> convert_det(NodeContext& context) {
    return {context.make<ops::Det>("", context.input(0))};
}

constexpr OpEntry kEntries[] = {
    {"", "Det", 11, convert_det},
};

}  // namespace

std::span<const OpEntry> det_converters() { return kEntries; }

}  // namespace rondo::onnx
