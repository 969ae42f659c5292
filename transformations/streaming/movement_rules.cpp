// Makes Concat, Pad and Gather along time work on chunks.
#include <algorithm>
#include <numeric>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/streaming/history.hpp"
#include "transformations/streaming/time_extent.hpp"
#include "transformations/streaming/time_rules.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;

// What a Concat along time joins: one input of frames, and how many others before and after it.
struct Joined {
    std::size_t frames = 0;
    std::int64_t before = 0;
    std::int64_t behind = 0;
};

Joined joined_by(const TimeWalk& walk, const Node& node, std::size_t axis) {
    Joined joined;
    bool is_found = false;
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        const TimeFact& fact = walk.fact(node.input(i));
        if (fact.is_frames()) {
            if (is_found) walk.refuse(node, "puts frames behind frames, along time");
            is_found = true;
            joined.frames = i;
            continue;
        }
        const PartialShape& shape = node.input(i).shape();
        if (!shape.has_rank() || !shape[axis].is_static()) {
            walk.refuse(node, "joins frames with as many others as aren't known");
        }
        (is_found ? joined.behind : joined.before) += shape[axis].length();
    }
    return joined;
}

// Values before the frames are a history that starts with them, or a cache that is carried.
Output join_before(TimeWalk& walk, const NodePtr& node, const Joined& joined) {
    const Output data = node->input(joined.frames);
    if (joined.before == 0) return data;
    std::vector<Output> parts;
    TimeFact cache;
    for (std::size_t i = 0; i < joined.frames; ++i) {
        parts.push_back(node->input(i));
        const TimeFact& part = walk.fact(parts.back());
        cache.kind = std::max(cache.kind, part.kind);
        cache.is_computed = cache.is_computed || part.is_computed;
    }
    const Kind kind = cache.kind;
    const auto axis = static_cast<std::int64_t>(walk.fact(data).axis);
    if (kind == Kind::constant) {
        const Output first =
            parts.size() == 1
                ? parts.front()
                : Output(walk.rewriter().make<ops::Concat>(node->name() + "/first", parts, axis));
        return with_history(walk, node->name(), data, joined.before, {.value = first});
    }
    if (kind != Kind::given && kind != Kind::state) {
        walk.refuse(*node, "puts a value that only the last frame gives before the frames");
    }
    TimeFact fact = walk.fact(data);
    walk.follow(cache, *node);
    fact.extra += joined.before;
    parts.push_back(data);
    const Output made = walk.rewriter().make<ops::Concat>(node->name() + "/cached", parts, axis);
    walk.set(made, fact);
    return made;
}

// Puts frames in the place of a node of one output. What other nodes read too keeps its own fact,
// and a result its own node.
void replace(TimeWalk& walk, const NodePtr& node, const Output& by, TimeFact fact) {
    const bool is_own = by.consumers().empty() || as_op<ops::Concat>(by.node()) != nullptr;
    const bool is_input =
        std::find(node->inputs().begin(), node->inputs().end(), by) != node->inputs().end();
    if (is_own && !is_input && walk.rewriter().can_replace(node->output(0), by)) {
        walk.set(by, std::move(fact));
        walk.rewriter().replace(node->output(0), by);
        return;
    }
    const Output copy = slice_frames(walk, node->name() + "/whole", by, fact.axis, 0, 0);
    walk.set(copy, std::move(fact));
    walk.rewriter().replace(node->output(0), copy);
}

// A frame is taken out by its place: the last one, or the only one of a call.
bool is_last(const TimeWalk& walk, const TimeFact& fact, std::int64_t index) {
    return fact.missing == 0 && (index == -1 || walk.original_extent(fact) == index + 1);
}

// Indices 0, 1, 2 and so on to the end: the Gather takes every frame in its turn.
bool takes_all(const std::vector<std::int64_t>& indices, std::optional<std::int64_t> extent) {
    std::vector<std::int64_t> all(indices.size());
    std::iota(all.begin(), all.end(), 0);
    return extent == static_cast<std::int64_t>(indices.size()) && indices == all;
}

// The data's shape with the indices' in the place of time.
std::vector<ViewPart> gathered_parts(const Output& data, const Output& indices, std::size_t axis) {
    std::vector<ViewPart> parts;
    const auto part = [](const Dimension& extent, std::size_t i) {
        if (extent.is_static()) return ViewPart{ViewPart::Kind::number, extent.length()};
        return ViewPart{ViewPart::Kind::copy, static_cast<std::int64_t>(i)};
    };
    for (std::size_t i = 0; i < axis; ++i) parts.push_back(part(data.shape()[i], i));
    for (const Dimension& extent : indices.shape().dimensions()) parts.push_back(part(extent, 0));
    for (std::size_t i = axis + 1; i < data.shape().rank(); ++i) {
        parts.push_back(part(data.shape()[i], i));
    }
    return parts;
}

bool gathers_along_time(const TimeWalk& walk, const Node& node) {
    const TimeFact& fact = walk.fact(node.input(0));
    const auto axis = constant_ints(node.input(2));
    if (!fact.is_frames() || fact.reshaped || !axis || axis->size() != 1) return false;
    if (!node.input(0).shape().has_rank()) return false;
    const auto normal = normalized_axes(*axis, node.input(0).shape().rank());
    return normal && normal->front() == fact.axis;
}

}  // namespace

void concat_rule(TimeWalk& walk, const NodePtr& node) {
    const auto is_frames = [&](const Output& input) { return walk.fact(input).is_frames(); };
    const Output first = *std::find_if(node->inputs().begin(), node->inputs().end(), is_frames);
    const TimeFact& fact = walk.fact(first);
    const bool has_rank = first.shape().has_rank();
    if (!has_rank || fact.reshaped || named_axis(*node) != fact.axis) return rows_rule(walk, node);
    const Joined joined = joined_by(walk, *node, fact.axis);
    const std::string cause = describe(*node);
    const Output made = join_before(walk, node, joined);
    TimeFact result = walk.fact(made);
    result.missing += joined.behind;
    if (result.extra + result.missing > 0) result.cause = cause;
    replace(walk, node, made, result);
}

void pad_rule(TimeWalk& walk, const NodePtr& node) {
    const auto& op = static_cast<const ops::Pad&>(*node);
    auto begin = constant_ints(node->input(1));
    auto end = constant_ints(node->input(2));
    TimeFact fact = walk.fact(node->input(0));
    if (!begin || !end || fact.reshaped) walk.refuse(*node, "has pads that aren't known");
    const std::int64_t left = begin->at(fact.axis);
    const std::int64_t right = end->at(fact.axis);
    if (left == 0 && right == 0) return rows_rule(walk, node);
    std::optional<double> value = 0;
    if (node->input_count() > 3) value = constant_scalar(node->input(3));
    if (left > 0 && (op.mode() != ops::PadMode::constant || !value)) {
        walk.refuse(*node, "repeats frames before the first one");
    }
    const std::string cause = describe(*node);
    Output data = with_history(walk, node->name(), node->input(0), std::max<std::int64_t>(left, 0),
                               {.number = value.value_or(0)});
    fact = walk.fact(data);
    if (right > 0) fact.missing += right;
    fact.cause = cause;
    const std::int64_t dropped = std::max<std::int64_t>(-right, 0);
    const std::int64_t unseen = std::min(dropped, fact.missing);
    const std::int64_t cut = std::max<std::int64_t>(-left, 0);
    fact.missing -= unseen;
    fact.extra -= cut + dropped - unseen;
    if (fact.extra < 0) walk.refuse(*node, "shifts frames towards the start of the sequence");
    if (cut + dropped - unseen > 0) {
        data = slice_frames(walk, node->name() + "/cut", data, fact.axis, cut, unseen - dropped);
    }
    (*begin)[fact.axis] = (*end)[fact.axis] = 0;
    const auto is_zero = [](std::int64_t pad) { return pad == 0; };
    if (std::all_of(begin->begin(), begin->end(), is_zero) &&
        std::all_of(end->begin(), end->end(), is_zero)) {
        return replace(walk, node, data, fact);
    }
    node->set_input(0, data);
    node->set_input(1, walk.rewriter().make_ints(node->name() + "/begin", *begin));
    node->set_input(2, walk.rewriter().make_ints(node->name() + "/end", *end));
    node->validate();
    walk.set_all(node, fact);
}

void gather_rule(TimeWalk& walk, const NodePtr& node) {
    if (!gathers_along_time(walk, *node)) return rows_rule(walk, node);
    const TimeFact& fact = walk.fact(node->input(0));
    const Tensor value = known_value(node->input(1));
    if (!value || !is_integral(value.element_type())) {
        walk.refuse(*node, "takes frames of any place");
    }
    const auto indices = to_int64_vector(value);
    const bool all = takes_all(indices, walk.original_extent(fact));
    const bool last = indices.size() == 1 && is_last(walk, fact, indices.front());
    if (!all && !last) walk.refuse(*node, "takes frames by their places in the sequence");
    if (all && (!last || walk.choose(2) == 0)) {
        return view_frames(walk, node, gathered_parts(node->input(0), node->input(1), fact.axis));
    }
    Tensor minus_one(ElementType::i64, value.shape());
    *minus_one.data<std::int64_t>() = -1;
    node->set_input(1, walk.rewriter().make_constant(node->name() + "/last", minus_one));
    node->validate();
    walk.set_all(node, TimeFact::of(Kind::last));
}

}  // namespace rondo::passes
