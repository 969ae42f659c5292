// Converts ReverseSequence.
#include "core/ops/movement/reverse_sequence.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_reverse_sequence(NodeContext& context) {
    const std::int64_t batch_axis = context.attributes().find_int("batch_axis").value_or(1);
    const std::int64_t time_axis = context.attributes().find_int("time_axis").value_or(0);
    return {context.make<ops::ReverseSequence>("", context.input(0), context.input(1), batch_axis,
                                               time_axis)};
}

}  // namespace rondo::onnx
