#include "transformations/streaming/time_walk.hpp"

#include <algorithm>

#include "core/graph/rt_info_keys.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "rondo/error.hpp"
#include "transformations/pass/node_roles.hpp"

namespace rondo::passes {
namespace {

using Kind = TimeFact::Kind;

bool is_kept(const Node& node) { return is_result(node) || writes_variable(node); }

// A scatter moves elements too: it puts those of its updates among those of its data.
bool only_moves(const Node& node) {
    const auto* scatter = as_op<ops::ScatterNDUpdate>(node);
    const OpTraits traits = node.traits();
    return traits.moves_elements || traits.view || is_kept(node) ||
           (scatter != nullptr && scatter->reduction() == ops::ScatterReduction::none);
}

}  // namespace

TimeWalk::TimeWalk(Graph& graph, const TimeAxes& axes, Search& search)
    : graph_(graph), search_(search), rewriter_(graph), nodes_(graph.ordered_nodes()) {
    for (const NodePtr& node : nodes_) {
        auto& shapes = original_[node.get()];
        for (std::size_t i = 0; i < node->output_count(); ++i) {
            shapes.push_back(node->output_shape(i));
        }
    }
    open_parameters(axes);
}

void TimeWalk::open_parameters(const TimeAxes& axes) {
    for (std::size_t i = 0; i < graph_.parameters().size(); ++i) {
        const auto parameter = as<ops::Parameter>(graph_.parameters()[i]);
        set(parameter, {.kind = Kind::given, .is_old = true});
        const auto axis = axes.find(i);
        if (axis == axes.end()) continue;
        PartialShape shape = parameter->shape();
        if (shape[axis->second].is_static()) {
            const std::int64_t frames = shape[axis->second].length();
            if (fixed_frames_.value_or(frames) != frames) {
                refuse(*parameter, "has " + std::to_string(frames) +
                                       " frames, but another input has " +
                                       std::to_string(*fixed_frames_));
            }
            fixed_frames_ = frames;
        }
        shape[axis->second] = Dimension();
        parameter->set_shape(shape);
        parameter->validate();
        parameter->rt_info()[kTimeAxis] = std::to_string(axis->second);
        set(parameter, TimeFact::along(axis->second));
    }
}

void TimeWalk::run(FindTimeRule find_rule) {
    for (const NodePtr& node : nodes_) {
        if (is_parameter(*node)) continue;
        if (!node->has_consumers() && !is_kept(*node)) continue;
        try {
            visit(node, find_rule(*node, *this));
        } catch (const ModelError& error) {
            throw UnsupportedError(std::string(error.what()) +
                                   ", where its time axis takes any extent");
        }
    }
    check_end();
}

void TimeWalk::visit(const NodePtr& node, TimeRule rule) {
    if (node->traits().random) refuse(*node, "gives other numbers in each call");
    if (rule != nullptr) return rule(*this, node);
    node->validate();
    set_all(node, timeless(*node));
}

TimeFact TimeWalk::timeless(const Node& node) const {
    TimeFact result;
    for (const Output& input : node.inputs()) {
        const TimeFact& each = fact(input);
        result.kind = std::max(result.kind, each.kind);
        result.is_old = result.is_old || each.is_old;
        result.is_computed = result.is_computed || each.is_computed;
    }
    const bool is_state = result.kind > Kind::extent;
    result.is_computed = is_state && (result.is_computed || !only_moves(node));
    return result;
}

void TimeWalk::check_end() const {
    if (given_states_.empty()) return;
    const auto shown = shown_at_the_end();
    for (const GivenState& state : given_states_) {
        const auto is_shown = [&](const Output& next) { return shown.contains(place_of(next)); };
        const bool has_next = std::any_of(state.next.begin(), state.next.end(), is_shown);
        if (has_next || (state.next.empty() && !shown.empty())) continue;
        throw UnsupportedError(state.reader +
                               ": starts from an input of the model, and no output gives the state "
                               "with which the next chunk goes on");
    }
}

// What the results hold that belong to the last frame, and all that these are made of.
std::set<TimeWalk::Place> TimeWalk::shown_at_the_end() const {
    std::set<Place> shown;
    std::vector<Output> open;
    for (const NodePtr& result : graph_.results()) {
        if (fact(result->input(0)).kind == Kind::last) open.push_back(result->input(0));
    }
    while (!open.empty()) {
        const Output output = open.back();
        open.pop_back();
        if (!shown.insert(place_of(output)).second) continue;
        const auto& inputs = output.node().inputs();
        open.insert(open.end(), inputs.begin(), inputs.end());
    }
    return shown;
}

const TimeFact& TimeWalk::fact(const Output& output) const {
    static const TimeFact kConstant;
    const auto known = facts_.find({&output.node(), output.index()});
    return known == facts_.end() ? kConstant : known->second;
}

void TimeWalk::set(const Output& output, TimeFact fact) {
    facts_[{&output.node(), output.index()}] = std::move(fact);
}

void TimeWalk::set_all(const NodePtr& node, const TimeFact& fact) {
    for (std::size_t i = 0; i < node->output_count(); ++i) set(node->output(i), fact);
}

std::optional<std::int64_t> TimeWalk::original_extent(const TimeFact& fact) const {
    if (!fixed_frames_) return {};
    return *fixed_frames_ + fact.extra + fact.missing;
}

const PartialShape& TimeWalk::original_shape(const Node& node, std::size_t output) const {
    return original_.at(&node)[output];
}

void TimeWalk::refuse(const Node& node, const std::string& reason) const {
    throw UnsupportedError(describe(node) + ": " + reason);
}

Output TimeWalk::add_variable(const std::string& id, std::vector<Output> init, const Output& like,
                              const PartialShape& shape) {
    const auto read =
        rewriter_.make<ops::ReadValue>(id, std::move(init), id, like.element_type(), shape);
    read->set_variable_id(read->name());  // names are unique
    set(read, {.kind = Kind::state, .is_old = true});
    return read;
}

void TimeWalk::assign(const Output& variable, const Output& value) {
    const std::string& id = as<ops::ReadValue>(variable)->variable_id();
    graph_.add_sink(rewriter_.make<ops::Assign>(id + "/assign", value, id));
    ++carried_;
}

void TimeWalk::follow(const TimeFact& state, const Node& node, std::vector<Output> next) {
    if (state.is_computed) refuse(node, "starts each chunk from a value that is computed first");
    ++carried_;
    if (state.kind == Kind::given) given_states_.push_back({describe(node), std::move(next)});
}

}  // namespace rondo::passes
