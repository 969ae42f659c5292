#include "frontend/onnx/ops/common/legacy.hpp"

#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::int64_t kNumpyBroadcastSince = 7;
constexpr std::int64_t kNoConsumedInputsSince = 8;

// b with axes of extent 1 after its own, so that its first axis meets axis `first` of a.
Output placed(NodeContext& by, const Output& a, const Output& b, std::int64_t first) {
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
    const Ints added = ints_from(taken, static_cast<std::size_t>(rank - first));
    return added.empty() ? b : by.unsqueeze(b, added);
}

}  // namespace

void skip_consumed_inputs(NodeContext& by) {
    if (by.opset() < kNoConsumedInputsSince) by.attributes().find_ints("consumed_inputs");
}

Operands operands_of(NodeContext& by) {
    skip_consumed_inputs(by);
    Operands operands{by.input(0), by.input(1)};
    if (by.opset() >= kNumpyBroadcastSince) return operands;
    const bool broadcasts = by.attribute("broadcast", false);
    const auto axis = by.attributes().find_int("axis");
    if (!broadcasts) {
        operands.rule = ops::AutoBroadcast::none;
        return operands;
    }
    if (axis) operands.b = placed(by, operands.a, operands.b, *axis);
    check_broadcast(operands.b.shape(), operands.a.shape(), "B");
    return operands;
}

}  // namespace rondo::onnx
