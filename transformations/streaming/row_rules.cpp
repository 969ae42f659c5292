// Ops whose rows along time are independent, and the ends of the graph.
#include <algorithm>

#include "core/graph/constants.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/ops/common/independent_axes.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;

std::string counted(std::int64_t frames) {
    return std::to_string(frames) + (frames == 1 ? " frame" : " frames");
}

// Why values of this kind can't be put together with frames; empty where they can.
std::string obstacle(const TimeWalk& walk, Kind kind) {
    const bool is_fixed = walk.fixed_frames().has_value();
    if (kind == Kind::extent) return "joins the frames with a value that depends on their number";
    if (kind == Kind::last) return "joins the frames with a value that only the last one gives";
    if (kind == Kind::state || (kind == Kind::given && is_fixed)) {
        return "joins all frames with a state that each of them would change";
    }
    return {};
}

void check_others(const TimeWalk& walk, const Node& node) {
    for (const Output& input : node.inputs()) {
        const TimeFact& fact = walk.fact(input);
        if (fact.is_frames()) continue;
        if (const auto reason = obstacle(walk, fact.kind); !reason.empty()) {
            walk.refuse(node, reason);
        }
    }
}

// Whether each row of frames is a row of the op, and all else serves every row.
bool fits(const TimeWalk& walk, const Node& node, const IndependentAxis& rows) {
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        const TimeFact& fact = walk.fact(node.input(i));
        const bool is_row =
            fact.is_frames() ? rows.inputs[i] == fact.axis : ops::serves_all_rows(node, rows, i);
        if (!is_row) return false;
    }
    return true;
}

// The one fact of all inputs of frames.
TimeFact common_fact(const TimeWalk& walk, const Node& node) {
    const TimeFact* common = nullptr;
    for (const Output& input : node.inputs()) {
        const TimeFact& fact = walk.fact(input);
        if (!fact.is_frames()) continue;
        if (common == nullptr || fact.reshaped) common = &fact;
        if (fact.extra == common->extra && fact.missing == common->missing) continue;
        walk.refuse(node,
                    "joins frames of different numbers: " + counted(fact.extra + fact.missing) +
                        " more than T, and " + counted(common->extra + common->missing) + " more");
    }
    return *common;
}

}  // namespace

void rows_rule(TimeWalk& walk, const NodePtr& node) {
    check_others(walk, *node);
    node->validate();
    const TimeFact common = common_fact(walk, *node);
    const bool keeps_axes = node->traits().elementwise || !common.reshaped;
    const std::size_t rank = keeps_axes && node->has_ranks() ? node->output_shape(0).rank() : 0;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const auto rows = node->independent_axis(0, axis);
        if (!rows || !fits(walk, *node, *rows)) continue;
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            TimeFact fact = common;
            fact.axis = rows->outputs[i];
            const PartialShape& original = walk.original_shape(*node, i);
            fact.reshaped = fact.reshaped && original.has_rank() &&
                            original.rank() != node->output_shape(i).rank();
            walk.set(node->output(i), fact);
        }
        return;
    }
    walk.refuse(*node,
                "needs all frames at once: what it gives for one isn't known to follow from "
                "that one alone");
}

void result_rule(TimeWalk& walk, const NodePtr& node) {
    const PartialShape& original = walk.original_shape(*node, 0);
    node->validate();
    const TimeFact& fact = walk.fact(node->input(0));
    const Node& source = node->input(0).node();
    if (fact.kind == Kind::extent) walk.refuse(*node, "shows the number of frames");
    const bool is_state =
        fact.kind == Kind::state || walk.fixed_frames() || fact.kind == Kind::last;
    if (is_state && fact.is_old && (fact.is_computed || fact.kind == Kind::state)) {
        walk.refuse(source, "shows a value of the state that each call starts from");
    }
    if (!fact.is_frames()) return;
    const std::string cause = fact.cause.empty() ? "" : " (because of " + fact.cause + ")";
    if (fact.missing > 0) {
        walk.refuse(source, "ends with " + counted(fact.missing) +
                                " that only the end of the sequence gives" + cause);
    }
    if (fact.extra > 0) {
        walk.refuse(source, "gives " + counted(fact.extra) + " more than it is given" + cause);
    }
    if (original.has_rank() && node->output_shape(0).rank() != original.rank()) {
        walk.refuse(source, "has no axis for the frames of several calls");
    }
    node->rt_info()[kTimeAxis] = std::to_string(fact.axis);
}

void assign_rule(TimeWalk& walk, const NodePtr& node) {
    node->validate();
    const TimeFact& fact = walk.fact(node->input(0));
    if (fact.is_frames()) walk.refuse(*node, "keeps as many frames as the call gives");
    if (fact.kind > Kind::constant && fact.is_computed) {
        walk.refuse(*node, "keeps a value that is computed once a call, not once a frame");
    }
    walk.set_all(node, fact);
}

void read_value_rule(TimeWalk& walk, const NodePtr& node) {
    node->validate();
    walk.set_all(node, {.kind = Kind::state, .is_old = true});
}

}  // namespace rondo::passes
