// The ends of a graph: its inputs and its results.
#include "core/ops/source/source_ops.hpp"

#include <algorithm>

#include "core/graph/infer_context.hpp"

namespace rondo::ops {

void Parameter::infer(InferContext& context) const {
    context.check_input_count(0, 0);
    context.set_output(0, type_, shape_);
}

void Result::infer(InferContext& context) const {
    context.check_input_count(1, 1);
    context.set_output(0, context.type(0), context.shape(0));
}

bool feeds_result(const Output& value) {
    return std::any_of(
        value.consumers().begin(), value.consumers().end(),
        [](const Consumer& consumer) { return as_op<Result>(*consumer.node) != nullptr; });
}

}  // namespace rondo::ops
