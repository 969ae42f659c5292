// Converts Transpose.
#include "core/ops/movement/transpose.hpp"

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"

namespace rondo::onnx {

// Without perm the axes are reversed; in the IR an empty order means that.
std::vector<Output> convert_transpose(NodeContext& context) {
    const auto perm = context.attributes().find_ints("perm").value_or(std::vector<std::int64_t>());
    return {context.make<ops::Transpose>("", context.input(0), make_ints(context, "perm", perm))};
}

}  // namespace rondo::onnx
