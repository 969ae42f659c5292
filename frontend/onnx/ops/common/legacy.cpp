#include "frontend/onnx/ops/common/legacy.hpp"

#include <numeric>

#include "core/ops/movement/squeeze.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kNumpyBroadcastSince = 7;
constexpr std::int64_t kNoConsumedInputsSince = 8;

// b with axes of extent 1 behind its own, so that its first axis meets axis `first` of a.
Output placed(NodeContext& context, const Output& a, const Output& b, std::int64_t first) {
    if (!a.shape().has_rank() || !b.shape().has_rank()) {
        throw UnsupportedError("attribute 'axis' needs inputs whose ranks are known");
    }
    const auto rank = static_cast<std::int64_t>(a.shape().rank());
    const auto taken = static_cast<std::int64_t>(b.shape().rank());
    if (first < 0 || first + taken > rank) {
        throw ModelError("attribute 'axis' is " + std::to_string(first) +
                         "; expected 0 to the rank of A without that of B, " +
                         std::to_string(rank - taken));
    }
    std::vector<std::int64_t> added(static_cast<std::size_t>(rank - first - taken));
    if (added.empty()) return b;
    std::iota(added.begin(), added.end(), taken);
    return context.make<ops::Unsqueeze>("placed", b, make_ints(context, "placed/axes", added));
}

}  // namespace

void skip_consumed_inputs(NodeContext& context) {
    if (context.opset() < kNoConsumedInputsSince) context.attributes().find_ints("consumed_inputs");
}

Operands operands_of(NodeContext& context) {
    skip_consumed_inputs(context);
    Operands operands{context.input(0), context.input(1)};
    if (context.opset() >= kNumpyBroadcastSince) return operands;
    const bool broadcasts = context.attributes().flag("broadcast", false);
    const auto axis = context.attributes().find_int("axis");
    if (!broadcasts) {
        operands.rule = ops::AutoBroadcast::none;
        return operands;
    }
    if (axis) operands.b = placed(context, operands.a, operands.b, *axis);
    check_broadcast(operands.b.shape(), operands.a.shape(), "B");
    return operands;
}

}  // namespace rondo::onnx
