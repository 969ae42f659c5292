// Makes recurrent sequences and running sums work on chunks: what the next chunk starts from
// becomes a variable.
#include <algorithm>
#include <cstring>

#include "core/extents/full_lengths.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "transformations/analysis/make_shape.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/streaming/history.hpp"
#include "transformations/streaming/time_extent.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;
using ops::RecurrentOp;

constexpr std::size_t kTime = 1;  // of X [N,T,I]

// As many steps as there are frames, for every row.
bool lengths_are_whole(const TimeWalk& walk, const RecurrentOp& op) {
    const Output& lengths = op.input(op.lengths_port());
    const TimeFact& x = walk.fact(op.input(op.x_port()));
    if (const auto numbers = constant_ints(lengths)) {
        const auto extent = walk.original_extent(x);
        return std::all_of(numbers->begin(), numbers->end(),
                           [&](std::int64_t length) { return length == extent; });
    }
    if (walk.fact(lengths).kind != Kind::extent) return false;
    if (lengths_are_full(op)) return true;
    const Node& node = lengths.node();
    const bool is_spread = as_op<ops::Broadcast>(node) != nullptr;
    const Output& number = is_spread ? node.input(0) : lengths;
    const PartialShape& shape = number.shape();
    if (!shape.is_static() || element_count(shape.to_shape()) != 1) return false;
    const auto steps = time_extent(walk, number, 0);
    return steps && steps->has_time && steps->number == x.extra + x.missing;
}

// The steps of a chunk, for each row.
Output chunk_lengths(TimeWalk& walk, const RecurrentOp& op) {
    Rewriter& rewriter = walk.rewriter();
    const Output& x = op.input(op.x_port());
    const std::string name = op.name() + "/lengths";
    Output steps = make_shape(rewriter, {extent_element(x, kTime)}, name + "/steps");
    if (x.shape()[0] != Dimension(1)) {
        const Output rows = make_shape(rewriter, {extent_element(x, 0)}, name + "/rows");
        steps = rewriter.make<ops::Broadcast>(name, steps, rows);
    }
    const ElementType type = op.input(op.lengths_port()).element_type();
    return steps.element_type() == type ? steps
                                        : Output(rewriter.make<ops::Convert>(name, steps, type));
}

// A variable in the place of a constant initial state; others are carried already.
void carry_state(TimeWalk& walk, const NodePtr& node, std::size_t port, std::size_t result) {
    const Output start = node->input(port);
    const Kind kind = walk.fact(start).kind;
    if (kind == Kind::given || kind == Kind::state) {
        std::vector<Output> next{node->output(result)};
        if (result == 1) next.push_back(node->output(0));  // Y ends with it
        return walk.follow(walk.fact(start), *node, std::move(next));
    }
    if (kind != Kind::constant) {
        walk.refuse(*node, "starts from a state that isn't known before the first frame");
    }
    const std::string name = node->name() + (result == 1 ? "/h" : "/c");
    const bool is_plain = start.shape().is_static() && has_zero_bits(known_value(start));
    const auto init = is_plain ? std::vector<Output>() : std::vector<Output>{start};
    const Output variable = walk.add_variable(name, init, start, start.shape());
    node->set_input(port, variable);
    node->validate();
    walk.assign(variable, node->output(result));
}

void follow_time(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const RecurrentOp&>(*node);
    const TimeFact x = walk.fact(node->input(op.x_port()));
    if (op.attributes().direction != ops::Direction::forward) {
        walk.refuse(*node, "runs from the last frame of the sequence to the first");
    }
    if (x.extra > 0) walk.refuse(*node, "steps through frames of other chunks");
    if (!lengths_are_whole(walk, op)) walk.refuse(*node, "is given lengths of its own");
    for (std::size_t i = op.w_port(); i < node->input_count(); ++i) {
        if (walk.fact(node->input(i)).kind > Kind::given) {
            walk.refuse(*node, "has weights that change with the frames");
        }
    }
    const bool has_c = op.c_port() != RecurrentOp::npos;
    for (std::size_t i = 1; i <= (has_c ? 2U : 1U); ++i) {
        if (x.missing > 0 && !node->consumers(i).empty()) {
            walk.refuse(*node, "gives a state behind frames that only the whole sequence has");
        }
    }
    node->set_input(op.lengths_port(), chunk_lengths(walk, op));
    node->validate();
    carry_state(walk, node, op.h_port(), 1);
    if (has_c) carry_state(walk, node, op.c_port(), 2);
    TimeFact y = x;
    y.axis = 2;
    walk.set_all(node, TimeFact::of(Kind::last));
    walk.set(node->output(0), y);
}

// Frames as rows: a constant state or length of the only row serves each of them.
void spread_rows(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const RecurrentOp&>(*node);
    const Output x = node->input(op.x_port());
    const TimeFact fact = walk.fact(x);
    for (std::size_t i = 1; i < op.w_port(); ++i) {
        const Output input = node->input(i);
        const bool is_one = input.shape().has_rank() && input.shape()[0] == Dimension(1);
        if (walk.fact(input).kind != Kind::constant || !is_one) continue;
        std::vector<ShapeElement> elements{extent_element(x, 0)};
        for (std::size_t axis = 1; axis < input.shape().rank(); ++axis) {
            elements.push_back(extent_element(input, axis));
        }
        const std::string name = node->name() + "/rows";
        const Output rows = walk.rewriter().make<ops::Broadcast>(
            name, input, make_shape(walk.rewriter(), elements, name + "/shape"));
        walk.set(rows, {.kind = Kind::frames, .extra = fact.extra, .missing = fact.missing});
        node->set_input(i, rows);
    }
    rows_rule(walk, node);
}

// `joined`: the sum so far, then x. `sums`: the running sums of that; the first is the sum so far.
struct RunningSum {
    Output joined;
    Output sums;
    Output so_far;
};

RunningSum sum_behind(TimeWalk& walk, const Node& node, const Output& x, std::size_t time) {
    const auto& op = static_cast<const ops::Cumulation&>(node);
    const bool is_sum = as_op<ops::CumSum>(node) != nullptr;
    // x + -0 is x for every x; but the first element of an exclusive sum is 0 itself.
    const double neutral = is_sum ? (op.options().exclusive ? 0.0 : -0.0) : 1.0;
    PartialShape shape = x.shape();
    shape[time] = 1;
    const std::string name = node.name() + "/sum";
    RunningSum made;
    made.so_far = walk.add_variable(name, splat_like(walk, name, x, shape, neutral), x, shape);
    made.joined = walk.rewriter().make<ops::Concat>(
        name + "/joined", std::vector<Output>{made.so_far, x}, static_cast<std::int64_t>(time));
    made.sums = walk.rewriter().clone(node, {made.joined, node.input(1)});
    return made;
}

// Floating types are summed in double, and rounded once: the variable is of that type.
void cumulate(TimeWalk& walk, const NodePtr& node) {
    Rewriter& rewriter = walk.rewriter();
    const TimeFact fact = walk.fact(node->input(0));
    const ElementType type = node->input(0).element_type();
    const bool is_widened = is_floating(type) && type != ElementType::f64;
    const std::string name = node->name() + "/sum";
    Output x = node->input(0);
    if (is_widened) x = rewriter.make<ops::Convert>(name + "/wide", x, ElementType::f64);
    const RunningSum made = sum_behind(walk, *node, x, fact.axis);
    Output result = slice_frames(walk, name + "/new", made.sums, fact.axis, 1, 0);
    Output total = slice_frames(walk, name + "/last", made.sums, fact.axis, -1, 0);
    if (static_cast<const ops::Cumulation&>(*node).options().exclusive) {
        const Output last = slice_frames(walk, name + "/last_x", made.joined, fact.axis, -1, 0);
        const bool is_sum = as_op<ops::CumSum>(*node) != nullptr;
        const auto function = is_sum ? ops::BinaryFunction::add : ops::BinaryFunction::multiply;
        total = rewriter.make<ops::Binary>(name + "/next", function, total, last);
    }
    walk.assign(made.so_far, total);
    if (is_widened) result = rewriter.make<ops::Convert>(name + "/narrow", result, type);
    walk.set(result, fact);
    rewriter.replace(node->output(0), result);
}

}  // namespace

void recurrent_rule(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const RecurrentOp&>(*node);
    const TimeFact& x = walk.fact(node->input(op.x_port()));
    if (!x.is_frames() || x.reshaped) return rows_rule(walk, node);
    if (x.axis == 0) return spread_rows(walk, node);
    if (op.is_sequence() && x.axis == kTime) return follow_time(walk, node);
    walk.refuse(*node, "reads frames as features");
}

void cumulation_rule(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const ops::Cumulation&>(*node);
    const TimeFact& fact = walk.fact(node->input(0));
    if (!fact.is_frames() || fact.reshaped || named_axis(*node) != fact.axis) {
        return rows_rule(walk, node);
    }
    if (op.options().reverse) walk.refuse(*node, "adds from the last frame of the sequence on");
    if (fact.extra > 0) walk.refuse(*node, "adds frames of other chunks");
    cumulate(walk, node);
}

// Where each call of the original model gives one frame, what is reduced over time is that frame.
void reduce_rule(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const ops::Reduce&>(*node);
    TimeFact fact = walk.fact(node->input(0));
    auto reduced = named_axes(*node);
    if (!fact.is_frames() || !reduced) return rows_rule(walk, node);
    const auto time = std::find(reduced->begin(), reduced->end(), fact.axis);
    if (time == reduced->end()) return rows_rule(walk, node);
    if (walk.original_extent(fact) != std::int64_t{1} || fact.reshaped) {
        walk.refuse(*node, "reduces over time");
    }
    reduced->erase(time);
    const std::vector<std::int64_t> kept(reduced->begin(), reduced->end());
    const Output made = walk.rewriter().make<ops::Reduce>(
        node->name(), op.function(), node->input(0),
        walk.rewriter().make_ints(node->name() + "/axes", kept), true);
    if (!op.keep_dims()) {
        fact.home = fact.axis;
        fact.reshaped = true;
    }
    walk.set(made, fact);
    walk.rewriter().replace(node->output(0), made);
}

}  // namespace rondo::passes
