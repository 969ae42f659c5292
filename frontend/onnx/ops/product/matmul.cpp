// Converts MatMul.
#include "core/ops/product/matmul.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/product/converters.hpp"

namespace rondo::onnx {
namespace {

std::vector<Output> convert_matmul(NodeContext& context) {
    return {context.make<ops::MatMul>("", context.input(0), context.input(1))};
}

constexpr OpEntry kEntries[] = {
    {"", "MatMul", 1, convert_matmul},
};

}  // namespace

std::span<const OpEntry> matmul_converters() { return kEntries; }

}  // namespace rondo::onnx
