// Writes DynamicQuantizeLinear.
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/quantization/writers.hpp"

namespace rondo::onnx {
namespace {

Names write_dynamic_quantize_linear(WriteContext& context) {
    return context.emit("DynamicQuantizeLinear", context.inputs(), 3).outputs();
}

constexpr OpWriter kWriters[] = {{"DynamicQuantizeLinear", write_dynamic_quantize_linear}};

}  // namespace

std::span<const OpWriter> quantization_writers() { return kWriters; }

}  // namespace rondo::onnx
