#include "transformations/recurrent/recognition/loop_step.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/loop_run.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/pass/remade_loop.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"

namespace rondo::passes {
namespace {

class ResidualMaker {
public:
    ResidualMaker(Rewriter& rewriter, const ops::IteratedOp& loop, const LoopStep& step)
        : rewriter_(rewriter),
          loop_(loop),
          run_(loop),
          step_(step),
          body_(loop.body().clone()),
          inner_(*body_) {
        for (const NodePtr& node : body_->ordered_nodes()) by_name_.emplace(node->name(), node);
    }

    std::shared_ptr<ops::IteratedOp> make(std::span<const NodePtr> sequences,
                                          std::span<const std::size_t> outputs) {
        if (!find_index() || !has_rows()) return nullptr;
        if (run_.is_loop()) {
            inputs_ = {loop_.input(0), loop_.input(1)};
        }
        for (std::size_t i = 0; i < step_.cells.size(); ++i) feed(step_.cells[i], *sequences[i]);
        keep_results(outputs);
        if (needs_states()) return nullptr;
        keep_parameters();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const ops::BodyOutput& port = port_of(outputs[i]);
            ports_.outputs.push_back({i, number_of_result(port.result), port.concat});
        }
        return made();
    }

private:
    // The value of the body in the copy.
    Output at(const Output& value) const {
        return {by_name_.at(value.node().name()), value.index()};
    }

    const ops::BodyOutput& port_of(std::size_t output) const {
        const auto& ports = loop_.body_ports().outputs;
        return *std::find_if(ports.begin(), ports.end(),
                             [&](const ops::BodyOutput& port) { return port.output == output; });
    }

    // The op's own slices, or the index at which a Gather in the body takes a part for a cell.
    bool find_index() {
        slices_ = run_.has_slices();
        if (slices_) return true;
        for (const NodePtr& node : loop_.body().ordered_nodes()) {
            const auto part = gathered_axis(*node) ? run_.part_of({node, 0}) : std::nullopt;
            if (!part || !is_read_by_cells({part->tensor, part->axis})) continue;
            const PartialShape& index = node->input(1).shape();
            if (!index.has_rank() || index.rank() > 1) continue;  // parts with axes more
            index_ = at(node->input(1));
            return true;
        }
        return false;
    }

    bool is_read_by_cells(const StepInput& input) const {
        const auto inputs = inputs_of(step_);
        return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
    }

    bool has_rows() const {
        return std::all_of(step_.cells.begin(), step_.cells.end(), [&](const LoopCell& cell) {
            return row_axis(step_.states[cell.hidden()].next.shape()).has_value();
        });
    }

    void feed(const LoopCell& cell, Node& sequence) {
        const LoopState& state = step_.states[cell.hidden()];
        Formula by(rewriter_, sequence.name());
        const Output steps = make_all_steps(by, sequence.output(0), 0);
        const Output next = at(state.next), now = at(state.now);
        if (!now.consumers().empty()) {
            const auto& op = *as_op<ops::RecurrentOp>(sequence);
            now.replace_with(part_of(before(by, steps, op.input(op.h_port())), state.next.shape()));
        }
        next.replace_with(part_of(steps, state.next.shape()));
    }

    // H before each step: what the sequence starts with, and all steps but the last one.
    Output before(Formula& by, const Output& steps, const Output& start) {
        std::vector<Output> parts{by.transpose(start, {1, 0, 2}), steps};
        if (step_.reverse) std::reverse(parts.begin(), parts.end());
        const Output all = by.concat(parts, 0);
        return by.slice(all, 0, step_.reverse ? 1 : 0, step_.reverse ? ops::kSliceEnd : -1);
    }

    // In the body, an iteration's part of a tensor [T,N,H], in the shape of a state.
    Output part_of(const Output& steps, const PartialShape& like) {
        PartialShape shape = steps.shape();
        if (slices_) {
            std::vector<Dimension> extents = shape.dimensions();
            extents[0] = 1;
            shape = PartialShape(std::move(extents));
        }
        Formula by(inner_, steps.node().name());
        const auto parameter =
            inner_.make<ops::Parameter>(by.prefix(), steps.element_type(), shape);
        fed_.push_back({steps, parameter});
        const Output part = slices_ ? parameter : by.gather(parameter, index_, 0);
        const Output row = part.shape().rank() == ops::kRankOfX ? by.squeeze(part, {0}) : part;
        std::vector<std::int64_t> added;
        for (std::size_t axis = 0; axis + 1 < like.rank(); ++axis) {
            if (axis != *row_axis(like)) added.push_back(static_cast<std::int64_t>(axis));
        }
        return added.empty() ? row : by.unsqueeze(row, added);
    }

    // Keeps the results of the outputs, of the condition, and of loop-carried values that are read.
    void keep_results(std::span<const std::size_t> outputs) {
        for (const std::size_t output : outputs) number_of_result(port_of(output).result);
        if (loop_.condition_result()) number_of_result(*loop_.condition_result());
        std::vector<NodePtr> ends;
        for (const std::size_t result : results_) ends.push_back(body_->results()[result]);
        needed_ = needed_nodes(*body_, loop_.body_ports(), std::move(ends));
        for (const ops::BodyInput& port : loop_.body_ports().inputs) {
            const bool is_read = needed_.contains(body_->parameters()[port.parameter].get());
            if (port.back_edge && is_read) number_of_result(*port.back_edge);
        }
    }

    // In the new body, which gets it where it hasn't it yet.
    std::size_t number_of_result(std::size_t result) { return number_in(results_, result); }

    bool needs_states() const {
        return std::any_of(step_.states.begin(), step_.states.end(), [&](const LoopState& state) {
            return needed_.contains(&at(state.now).node());
        });
    }

    // Those that are needed, the new ones first.
    void keep_parameters() {
        for (const auto& [steps, parameter] : fed_) {
            if (!needed_.contains(parameter.get())) continue;
            ops::BodyInput port{inputs_.size(), parameters_.size(), {}, {}};
            if (slices_) {
                port.slice = step_.reverse ? ops::PartRange{0, -1, -1, 1, 0} : ops::PartRange{0};
            }
            inputs_.push_back(steps);
            parameters_.push_back(parameter);
            ports_.inputs.push_back(port);
        }
        for (const ops::BodyInput& port : loop_.body_ports().inputs) {
            const NodePtr& parameter = body_->parameters()[port.parameter];
            if (!needed_.contains(parameter.get())) continue;
            ops::BodyInput kept{inputs_.size(), parameters_.size(), port.slice, {}};
            if (port.back_edge) kept.back_edge = number_of_result(*port.back_edge);
            inputs_.push_back(loop_.input(port.input));
            parameters_.push_back(parameter);
            ports_.inputs.push_back(kept);
        }
        const auto iteration = loop_.iteration_parameter();
        if (!iteration || !needed_.contains(body_->parameters()[*iteration].get())) return;
        iteration_ = parameters_.size();
        parameters_.push_back(body_->parameters()[*iteration]);
    }

    std::shared_ptr<ops::IteratedOp> made() {
        std::vector<NodePtr> results;
        for (const std::size_t result : results_) results.push_back(body_->results()[result]);
        auto graph = std::make_shared<Graph>(body_->name(), parameters_, std::move(results));
        graph->rt_info() = body_->rt_info();
        const std::string name = loop_.name() + "/rest";
        const bool has_slices =
            std::any_of(ports_.inputs.begin(), ports_.inputs.end(),
                        [](const ops::BodyInput& port) { return port.slice.has_value(); });
        if (!run_.is_loop() && !has_slices) return nullptr;  // nothing says how often it runs
        ops::LoopPorts special{iteration_, {}};
        if (loop_.condition_result())
            special.condition = number_of_result(*loop_.condition_result());
        return remade_loop(rewriter_, loop_, name, {inputs_, std::move(graph), ports_, special});
    }

    Rewriter& rewriter_;
    const ops::IteratedOp& loop_;
    const LoopRun run_;
    const LoopStep& step_;
    const GraphPtr body_;  // a copy
    Rewriter inner_;
    std::map<std::string, NodePtr> by_name_;
    bool slices_ = false;
    Output index_;
    std::vector<std::pair<Output, NodePtr>> fed_;  // what sequences give, and the parameter of it
    std::vector<Output> inputs_;
    std::vector<NodePtr> parameters_;
    ops::BodyPorts ports_;
    std::vector<std::size_t> results_;  // numbers in the copy
    std::unordered_set<const Node*> needed_;
    std::optional<std::size_t> iteration_;
};

}  // namespace

std::shared_ptr<ops::IteratedOp> make_residual_loop(Rewriter& rewriter, const ops::IteratedOp& loop,
                                                    const LoopStep& step,
                                                    std::span<const NodePtr> sequences,
                                                    std::span<const std::size_t> outputs) {
    return ResidualMaker(rewriter, loop, step).make(sequences, outputs);
}

}  // namespace rondo::passes
