// Which rule each op follows.
#include <algorithm>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;

template <typename T>
bool is_a(const Node& node) {
    return as_op<T>(node) != nullptr;
}

struct Entry {
    bool (*matches)(const Node& node);
    TimeRule rule;
};

// For nodes that read frames.
constexpr Entry kFrameRules[] = {
    {is_a<ops::ShapeOf>, shape_of_rule},
    {is_a<ops::Broadcast>, broadcast_rule},
    {is_a<ops::Reshape>, reshape_rule},
    {is_a<ops::Squeeze>, squeeze_rule},
    {is_a<ops::Reduce>, reduce_rule},
    {is_a<ops::Concat>, concat_rule},
    {is_a<ops::Pad>, pad_rule},
    {is_a<ops::Slice>, slice_rule},
    {is_a<ops::StridedSlice>, strided_slice_rule},
    {is_a<ops::Gather>, gather_rule},
    {is_a<ops::ConvolutionBase>, convolution_rule},
    {is_a<ops::BackpropBase>, backprop_rule},
    {is_a<ops::PoolBase>, pool_rule},
    {is_a<ops::RecurrentOp>, recurrent_rule},
    {is_a<ops::Cumulation>, cumulation_rule},
};

bool reads(const Node& node, const TimeWalk& walk, Kind kind) {
    return std::any_of(node.inputs().begin(), node.inputs().end(),
                       [&](const Output& input) { return walk.fact(input).kind == kind; });
}

}  // namespace

TimeRule time_rule_of(const Node& node, const TimeWalk& walk) {
    if (is_result(node)) return result_rule;
    if (writes_variable(node)) return assign_rule;
    if (reads_variable(node)) return read_value_rule;
    if (reads(node, walk, Kind::frames)) {
        const auto* entry = std::find_if(std::begin(kFrameRules), std::end(kFrameRules),
                                         [&](const Entry& each) { return each.matches(node); });
        return entry == std::end(kFrameRules) ? rows_rule : entry->rule;
    }
    if (reads(node, walk, Kind::extent)) {
        return is_a<ops::Broadcast>(node) ? broadcast_rule : extent_rule;
    }
    const bool takes_part = is_a<ops::Slice>(node) || is_a<ops::Gather>(node);
    if (takes_part && reads(node, walk, Kind::last)) return untouched_rule;
    return nullptr;
}

}  // namespace rondo::passes
