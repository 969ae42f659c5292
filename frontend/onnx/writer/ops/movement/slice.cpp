// Writes Slice.
#include "core/ops/movement/slice.hpp"

#include "frontend/onnx/writer/context/write_context.hpp"
#include "frontend/onnx/writer/ops/movement/writers.hpp"

namespace rondo::onnx {

// The IR's inputs are data, start, stop, step and axes; ONNX's axes come before the steps.
Names write_slice(WriteContext& context) {
    const auto input = [&](std::size_t i) { return context.input_as(i, ElementType::i64); };
    const std::string axes = context.has_input(4) ? input(4) : "";
    return {context.emit("Slice", {context.input(0), input(1), input(2), axes, input(3)})};
}

}  // namespace rondo::onnx
