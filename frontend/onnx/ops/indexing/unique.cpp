// Converts Unique.
#include "core/ops/indexing/unique.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/indexing/converters.hpp"

namespace rondo::onnx {

std::vector<Output> convert_unique(NodeContext& context) {
    std::vector<Output> inputs{context.input(0)};
    if (const auto axis = context.attributes().find_int("axis")) {
        inputs.push_back(make_int_scalar(context, "axis", *axis));
    }
    ops::UniqueAttributes attributes;
    attributes.sorted = context.attributes().flag("sorted", true);
    return outputs_of(context.make<ops::Unique>("", std::move(inputs), attributes));
}

}  // namespace rondo::onnx
