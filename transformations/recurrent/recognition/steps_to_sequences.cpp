#include "transformations/recurrent/recognition/steps_to_sequences.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/recurrent/recognition/op_formula.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"
#include "transformations/recurrent/recognition/time_parts.hpp"
#include "transformations/recurrent/recognition/unrolled_steps.hpp"

namespace rondo::passes {
namespace {

// A Concat of what all steps gave, in the order of time.
struct Collector {
    Output joined;
    std::size_t axis = 0;
};

class ChainRewriter {
public:
    ChainRewriter(Rewriter& rewriter, const UnrolledSteps& steps)
        : by_(rewriter, steps.states.back()[steps.cell.hidden_state].node().name() + "/steps"),
          steps_(steps) {}

    /// What keeps the chain from becoming a sequence; empty if nothing does.
    std::string obstacle() {
        if (!has_plain_states()) return "its states aren't rows of units";
        collect_chain();
        find_collectors(hidden(0));
        if (!can_replace_cell_states()) return "an op reads C of one step, which no output gives";
        if (!zeros_fit()) return "it isn't certain that its zeros have as many rows as its input";
        return {};
    }

    void rewrite() {
        if (!obstacle().empty()) return;
        SequenceRequest request{by_.prefix(), inputs(), steps_.first, steps_.reverse};
        const bool is_lstm = steps_.cell.is_lstm();
        while (request.states.size() < (is_lstm ? 2U : 1U)) request.states.push_back(zero());
        sequence_ = make_sequence(by_.rewriter(), steps_.cell, request);
        if (!sequence_) return;
        for (const Collector& collector : collectors_) replace_collector(collector);
        // Where all steps are read one by one, they are parts of one tensor.
        const std::size_t last = steps_.states.size() - 1;
        for (std::size_t step = 0; step < last; ++step) replace_single(step);
        if (all_) replace_single(last);
        replace_last(steps_.cell.hidden_state, 1);
        if (is_lstm) replace_last(steps_.cell.cell_state, 2);
    }

private:
    const Output& hidden(std::size_t step) const {
        return steps_.states[step][steps_.cell.hidden_state];
    }

    // The place in time of a step, in Y.
    std::size_t place_of(std::size_t step) const {
        return steps_.reverse ? steps_.states.size() - 1 - step : step;
    }

    // Zeros in one row, which fit any number of rows.
    Output zero() {
        const auto units = static_cast<std::size_t>(steps_.cell.attributes.hidden_size);
        return by_.constant(Tensor(ElementType::f32, {1, units}));
    }

    bool has_plain_states() const {
        for (const auto& step : steps_.states) {
            for (const Output& state : step) {
                const PartialShape& shape = state.shape();
                if (!row_axis(shape) || shape[shape.rank() - 1] != shape_of_units()) return false;
            }
        }
        return true;
    }

    // Without the step that is left out.
    std::vector<StepInput> inputs() {
        std::vector<StepInput> result = steps_.inputs;
        if (steps_.skipped == 0) return result;
        for (StepInput& input : result) {
            const auto extent = input.tensor.shape()[input.time_axis].length();
            input.tensor = by_.slice(input.tensor, static_cast<std::int64_t>(input.time_axis),
                                     steps_.reverse ? 0 : 1, extent - (steps_.reverse ? 1 : 0));
        }
        return result;
    }

    // Nodes that the last states need, back to the first ones.
    void collect_chain() {
        walk_up(steps_.states.back(), [&](const Node& node) {
            const bool is_first =
                std::any_of(steps_.first.begin(), steps_.first.end(),
                            [&](const Output& one) { return &one.node() == &node; });
            if (!is_first) chain_.insert(&node);
            return std::optional(is_first ? 0 : kAllInputs);
        });
    }

    void find_collectors(const Output& value) {
        for (const Consumer& reader : value.consumers()) {
            add_collector(*reader.node);
            if (reader.node->traits().view) find_collectors(reader.node->output(0));
        }
    }

    void add_collector(Node& node) {
        const auto* concat = as_op<ops::Concat>(node);
        const PartialShape& shape = node.output_shape(0);
        if (concat == nullptr || !shape.has_rank() || shape.rank() != ops::kRankOfX) return;
        const std::int64_t axis = concat->axis() < 0 ? concat->axis() + 3 : concat->axis();
        const std::size_t count = steps_.states.size() + steps_.skipped;
        if (axis > 1 || node.input_count() != count) return;
        for (std::size_t step = 0; step < steps_.states.size(); ++step) {
            const std::size_t place = place_of(step) + (steps_.reverse ? 0 : steps_.skipped);
            const Output& part = node.input(place);
            const bool is_row = part.shape()[static_cast<std::size_t>(axis)] == Dimension(1) &&
                                part.shape()[2] == shape_of_units();
            if (!is_row || !(behind_views(part) == behind_views(hidden(step)))) return;
        }
        collectors_.push_back({node.output(0), static_cast<std::size_t>(axis)});
    }

    Dimension shape_of_units() const { return {steps_.cell.attributes.hidden_size}; }

    bool is_collected(const Node& node) const {
        return std::any_of(collectors_.begin(), collectors_.end(),
                           [&](const Collector& one) { return &one.joined.node() == &node; });
    }

    // Reads a state, or a view of it, for something else than the next step and the collectors.
    bool is_other_reader(const Consumer& reader) const {
        if (is_collected(*reader.node)) return false;
        if (reader.node->traits().view) return has_other_readers(reader.node->output(0));
        return !chain_.contains(reader.node);
    }

    bool has_other_readers(const Output& state) const {
        const auto& readers = state.consumers();
        return std::any_of(readers.begin(), readers.end(),
                           [&](const Consumer& reader) { return is_other_reader(reader); });
    }

    bool zeros_fit() const {
        return std::all_of(steps_.zeros.begin(), steps_.zeros.end(), [&](const Output& zeros) {
            return std::all_of(steps_.inputs.begin(), steps_.inputs.end(),
                               [&](const StepInput& input) { return fits_rows(zeros, input); });
        });
    }

    // No op gives C after each step.
    bool can_replace_cell_states() const {
        if (!steps_.cell.is_lstm()) return true;
        for (std::size_t step = 0; step + 1 < steps_.states.size(); ++step) {
            if (has_other_readers(steps_.states[step][steps_.cell.cell_state])) return false;
        }
        return true;
    }

    void replace_collector(const Collector& collector) {
        Output all = make_all_steps(by_, sequence_->output(0), collector.axis);
        if (steps_.skipped == 1) {
            const Node& node = collector.joined.node();
            std::vector<Output> parts{node.input(steps_.reverse ? node.input_count() - 1 : 0), all};
            if (steps_.reverse) std::reverse(parts.begin(), parts.end());
            all = by_.concat(parts, static_cast<std::int64_t>(collector.axis));
        }
        by_.rewriter().replace(collector.joined, all);
    }

    void replace_last(std::size_t state, std::size_t output) {
        replace(steps_.states.back()[state], sequence_->output(output));
    }

    // H of one step, for readers that want no other.
    void replace_single(std::size_t step) {
        const Output& value = hidden(step);
        if (value.consumers().empty() || !has_other_readers(value)) return;
        if (!all_) all_ = make_all_steps(by_, sequence_->output(0), 1);
        replace(value, by_.element(all_, 1, static_cast<std::int64_t>(place_of(step))));
    }

    void replace(const Output& value, const Output& state) {
        if (value.consumers().empty()) return;
        by_.rewriter().replace(value, make_last_state(by_, state, value.shape()));
    }

    Formula by_;
    const UnrolledSteps& steps_;
    std::set<const Node*> chain_;
    std::vector<Collector> collectors_;
    NodePtr sequence_;
    Output all_;  // Y [N,T,H], once a step of it was read
};

// One constant, or two of the same elements, as each call of a layer may have its own.
bool are_equal(const Output& a, const Output& b) {
    if (a == b) return true;
    const Tensor one = known_value(a), other = known_value(b);
    if (!one || !other || one.element_type() != other.element_type()) return false;
    if (one.shape() != other.shape()) return false;
    const Tensor first = one.contiguous(), second = other.contiguous();
    return std::memcmp(first.data(), second.data(), first.byte_size()) == 0;
}

// Whether this value is H that the same layer computed in a step before.
bool is_state_of_layer(const ops::RecurrentOp& layer, const Output& value) {
    const Output made = behind_views(value);
    const auto* before = as_op<ops::RecurrentOp>(made.node());
    return before != nullptr && made.index() == first_state_output(*before) &&
           are_equal(before->input(before->w_port()), layer.input(layer.w_port()));
}

// Y of a layer that is called step by step is its state, for all that read it.
void read_states(Rewriter& rewriter) {
    std::vector<std::shared_ptr<ops::RecurrentOp>> chain;
    rewriter.for_each<ops::RecurrentOp>([&](const auto& op) {
        if (!op->is_sequence() || !is_one_step(*op)) return;
        if (!is_state_of_layer(*op, op->input(op->h_port()))) return;
        chain.push_back(op);
        chain.push_back(as<ops::RecurrentOp>(behind_views(op->input(op->h_port())).node_ptr()));
    });
    for (const auto& op : chain) {
        if (!op->is_sequence() || !is_one_step(*op) || op->consumers(0).empty()) continue;
        rewriter.replace(op->output(0),
                         Formula(rewriter, op->name()).unsqueeze(op->output(1), {2}));
    }
}

std::string why_input_stays(Graph& graph, const StepInput& input) {
    Rewriter rewriter(graph);
    StepDoubt doubt;
    for (const bool reverse : {false, true}) {
        const auto chain = read_unrolled_steps(graph, input, reverse, &doubt);
        if (!chain) continue;
        const std::string obstacle = ChainRewriter(rewriter, *chain).obstacle();
        return obstacle.empty() ? "its inputs and states can't have the same rows" : obstacle;
    }
    return doubt.why;
}

bool rewrite_one(Graph& graph) {
    Rewriter rewriter(graph);
    for (const StepInput& input : tensors_in_parts(graph)) {
        for (const bool reverse : {false, true}) {
            const auto steps = read_unrolled_steps(graph, input, reverse);
            if (steps) ChainRewriter(rewriter, *steps).rewrite();
            if (rewriter.changed()) return true;
        }
    }
    return false;
}

}  // namespace

std::vector<StayingSteps> why_steps_stay(Graph& graph) {
    std::vector<StayingSteps> all;
    for (const StepInput& input : tensors_in_parts(graph)) {
        all.push_back({nodes_of_steps(graph, input), why_input_stays(graph, input)});
    }
    return all;
}

// A layer's steps may be the next one's.
bool steps_to_sequences(Graph& graph) {
    Rewriter rewriter(graph);
    read_states(rewriter);
    bool changed = rewriter.changed();
    while (rewrite_one(graph)) changed = true;
    return changed;
}

}  // namespace rondo::passes
