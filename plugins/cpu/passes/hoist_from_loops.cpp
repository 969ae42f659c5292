#include "plugins/cpu/passes/passes.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "plugins/cpu/passes/loop_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/batching/vmap/lift_graph.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::cpu {
namespace {

using passes::Rewriter;

class Hoister {
public:
    Hoister(Rewriter& rewriter, ops::IteratedOp& loop)
        : rewriter_(rewriter), loop_(loop), body_(*loop.bodies()[0]), values_(loop) {}

    bool run() {
        find_frontier();
        if (frontier_.empty()) return false;
        Rewriter body_rewriter(body_);
        std::vector<Output> inputs = loop_.inputs();
        const std::size_t first = inputs.size();
        std::vector<Output> feds;
        for (const Output& value : frontier_) {
            inputs.push_back(needs_axis(value) ? with_axis(outside(value)) : outside(value));
            feds.push_back(fed(value, first + feds.size(), body_rewriter));
        }
        // One may be read by another, and what the first one needs may fall out of the body.
        for (std::size_t i = 0; i < feds.size(); ++i) body_rewriter.replace(frontier_[i], feds[i]);
        auto parameters = body_.parameters();
        parameters.insert(parameters.end(), parameters_.begin(), parameters_.end());
        auto graph = std::make_shared<Graph>(body_.name(), std::move(parameters), body_.results(),
                                             body_.sinks());
        graph->rt_info() = body_.rt_info();
        loop_.set_inputs(std::move(inputs));
        loop_.set_body(0, std::move(graph), std::move(ports_));
        return true;
    }

private:
    bool is_hoisted(const Output& value) const {
        const LoopValue kind = values_.of(value);
        return kind == LoopValue::invariant || kind == LoopValue::step;
    }

    // What the body needs and doesn't compute itself any more: the last hoisted ops on each way
    // from its results, apart from moves.
    void find_frontier() {
        std::unordered_set<const Node*> seen;
        std::vector<const Node*> open;
        const auto visit = [&](const Output& value) {
            if (is_hoisted(value) && is_work(value.node())) {
                const bool known =
                    std::find(frontier_.begin(), frontier_.end(), value) != frontier_.end();
                if (!known) frontier_.push_back(value);
            } else if (seen.insert(&value.node()).second) {
                open.push_back(&value.node());
            }
        };
        for (const auto& result : body_.results()) visit(result->input(0));
        while (!open.empty()) {
            const Node& node = *open.back();
            open.pop_back();
            for (const Output& input : node.inputs()) visit(input);
        }
    }

    // A result of the body may not be one of its inputs: the same value of all steps then gets an
    // axis more outside, which the body takes away.
    bool needs_axis(const Output& value) const {
        const auto& readers = value.node().consumers(value.index());
        return values_.of(value) == LoopValue::invariant &&
               std::any_of(readers.begin(), readers.end(),
                           [](const Consumer& reader) { return passes::is_result(*reader.node); });
    }

    Output with_axis(const Output& value) {
        const std::string name = loop_.name() + "/result_axis";
        return rewriter_.make<ops::Unsqueeze>(name, value,
                                              rewriter_.make_ints(name + "/axes", {0}));
    }

    // The value before the loop; one of each step has the steps in its first axis.
    Output outside(const Output& value) {
        const auto key = std::make_pair(&value.node(), value.index());
        if (const auto known = outside_.find(key); known != outside_.end()) return known->second;
        const Output made = make_outside(value);
        outside_.emplace(key, made);
        return made;
    }

    Output make_outside(const Output& value) {
        const Node& node = value.node();
        if (passes::is_constant(node)) {
            return rewriter_.make_constant(node.name(), known_value(value));
        }
        if (const auto part = values_.run().part_of(value)) return steps_first(*part, value);
        if (const Output whole = values_.run().outside(value)) return whole;
        std::vector<Output> inputs;
        for (const Output& input : node.inputs()) inputs.push_back(outside(input));
        std::vector<Output> made;
        if (values_.of(node) == LoopValue::step) {
            made = passes::outputs_over_rows(rewriter_, value.node_ptr(),
                                             values_.varying_inputs(node), inputs);
        } else {
            const NodePtr copy = rewriter_.clone(node, std::move(inputs));
            for (std::size_t i = 0; i < node.output_count(); ++i) made.emplace_back(copy, i);
        }
        for (std::size_t i = 0; i < made.size(); ++i) {
            outside_.emplace(std::make_pair(&node, i), made[i]);
        }
        return made[value.index()];
    }

    // All parts, with the axis of the steps in front of a part's own.
    Output steps_first(const passes::LoopPart& part, const Output& value) {
        Output all = part.tensor;
        const std::size_t rank = all.shape().rank();
        all = passes::make_axis_move(rewriter_, all, part.axis, 0, loop_.name() + "/steps_first");
        if (value.shape().rank() < rank) return all;
        const std::string name = loop_.name() + "/step_axis";
        const auto kept = static_cast<std::int64_t>(part.axis) + 1;
        return rewriter_.make<ops::Unsqueeze>(name, all,
                                              rewriter_.make_ints(name + "/axes", {kept}));
    }

    // What the body reads instead of a value that input `number` of the loop holds.
    Output fed(const Output& value, std::size_t number, Rewriter& body) {
        if (ports_.inputs.empty()) ports_ = loop_.body_ports();
        const bool by_step = values_.of(value) == LoopValue::step;
        const bool has_axis = by_step || needs_axis(value);
        PartialShape shape = value.shape();
        if (has_axis) {
            std::vector<Dimension> extents = shape.dimensions();
            const bool one = !by_step || values_.gather() == nullptr;
            extents.insert(extents.begin(), one ? Dimension(1) : Dimension());
            shape = PartialShape(std::move(extents));
        }
        const auto parameter =
            body.make<ops::Parameter>(value.node().name() + "/before", value.element_type(), shape);
        ops::BodyInput port{number, body_.parameters().size() + parameters_.size(), {}, {}};
        parameters_.push_back(parameter);
        if (by_step && values_.gather() == nullptr) {
            port.slice = values_.is_reverse() ? ops::PartRange{0, -1, -1, 1, 0} : ops::PartRange{0};
        }
        ports_.inputs.push_back(port);
        if (!has_axis) return parameter;
        const std::string name = value.node().name() + "/step";
        const Node* gather = by_step ? values_.gather() : nullptr;
        if (gather == nullptr) {
            return body.make<ops::Squeeze>(name, parameter, body.make_ints(name + "/axes", {0}));
        }
        const Output part = body.make<ops::Gather>(name, parameter, gather->input(1),
                                                   body.make_ints(name + "/axis", {0}));
        if (part.shape().rank() == value.shape().rank()) return part;
        return body.make<ops::Squeeze>(name, part, body.make_ints(name + "/axes", {0}));
    }

    Rewriter& rewriter_;
    ops::IteratedOp& loop_;
    Graph& body_;
    LoopValues values_;
    std::vector<Output> frontier_;
    std::map<std::pair<const Node*, std::size_t>, Output> outside_;
    std::vector<NodePtr> parameters_;
    ops::BodyPorts ports_;
};

}  // namespace

bool hoist_from_loops(Graph& graph) {
    Rewriter rewriter(graph);
    bool changed = false;
    rewriter.for_each<ops::IteratedOp>([&](const auto& loop) {
        changed = split_products(*loop->bodies()[0], LoopValues(*loop)) || changed;
        changed = Hoister(rewriter, *loop).run() || changed;
    });
    return changed;
}

}  // namespace rondo::cpu
