// Writes DynamicQuantizeLinear.
#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/quantization/writers.hpp"

namespace rondo::onnx {

Names write_dynamic_quantize_linear(WriteContext& context) {
    return context.emit("DynamicQuantizeLinear", context.inputs(), 3).outputs();
}

}  // namespace rondo::onnx
