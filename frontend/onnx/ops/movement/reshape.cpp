// Converts Reshape.
#include "core/ops/movement/reshape.hpp"

#include <algorithm>

#include "frontend/onnx/context/node_context.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/common/legacy.hpp"
#include "frontend/onnx/ops/movement/converters.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kAllowZeroSince = 14;

// With an extent of 0, -1 isn't determined.
void check_pattern(const Output& shape) {
    const auto pattern = NodeContext::known_ints(shape);
    if (!pattern) return;
    const bool zero = std::find(pattern->begin(), pattern->end(), 0) != pattern->end();
    const bool rest = std::find(pattern->begin(), pattern->end(), -1) != pattern->end();
    if (zero && rest) throw ModelError("shape holds both 0 and -1, but allowzero is 1");
}

}  // namespace

std::vector<Output> convert_reshape_1(NodeContext& context) {
    skip_consumed_inputs(context);
    const auto shape = context.attributes().find_ints("shape");
    if (!shape) throw ModelError("attribute 'shape' is missing");
    return {context.make<ops::Reshape>("", context.input(0), make_ints(context, "shape", *shape),
                                       true)};
}

std::vector<Output> convert_reshape_5(NodeContext& context) {
    const bool allow_zero =
        context.opset() >= kAllowZeroSince && context.attributes().flag("allowzero", false);
    const Output shape = context.input(1);
    if (allow_zero) check_pattern(shape);
    return {context.make<ops::Reshape>("", context.input(0), shape, !allow_zero)};
}

}  // namespace rondo::onnx
