#include "transformations/batching/passes.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/printer.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "core/runtime/transforms.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

[[noreturn]] void refuse(const RowAxes& axes) {
    throw UnsupportedError("the batch can't be set: " + axes.obstacle);
}

// As the graph is, or as the portable passes leave it, which settle shapes and branches.
RowAxes proof(const Graph& graph, const RowAxesHint& hint) {
    RowAxes axes = find_row_axes(graph, hint);
    if (axes.obstacle.empty()) return axes;
    const auto portable = graph.clone();
    run_portable_passes(*portable, {});
    RowAxes others = find_row_axes(*portable, hint);
    return others.obstacle.empty() ? others : axes;
}

// With no more changes than it needs.
RowPlan plan_with_changes(Graph& graph, const RowAxesHint& hint) {
    RowPlan plan = plan_batch(graph, hint);
    if (plan.axes.obstacle.empty()) return plan;
    const RowAxes as_it_is = proof(graph, hint);
    if (as_it_is.obstacle.empty()) {
        return {as_it_is, {}, std::vector<std::int64_t>(as_it_is.inputs.size(), 1), {}};
    }
    if (free_rows(graph)) plan = plan_batch(graph, hint);
    if (!plan.axes.obstacle.empty()) refuse(plan.axes);
    return plan;
}

// Inputs and variables get their batch, whose axes are known.
class BatchSetter {
public:
    BatchSetter(Graph& graph, RowPlan plan)
        : graph_(graph), plan_(std::move(plan)), variables_(ops::variables_of(graph)) {
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const PartialShape& shape = variables_[i].shape();
            extents_.push_back(plan_.axes.variables[i] ? shape[*plan_.axes.variables[i]] : 1);
        }
    }

    // Variables that start with as many rows as the inputs have.
    void start_variables() {
        Rewriter rewriter(graph_);
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            ops::ReadValueBase& read = *variables_[i].read;
            if (!plan_.axes.variables[i] || !extents_[i].is_static()) continue;
            const std::size_t axis = *plan_.axes.variables[i];
            if (!read.has_init()) {
                start_with(rewriter, read, axis, zeros(rewriter, i));
            } else if (starts_shared(read)) {
                start_with(rewriter, read, axis, read.input(0));
            }
        }
    }

    void set(const Dimension& batch) {
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const auto read = as<ops::ReadValue>(NodePtr(variables_[i].read));
            if (!plan_.axes.variables[i] || read == nullptr) continue;
            PartialShape shape = read->output_shape(0);
            shape[*plan_.axes.variables[i]] = rows_of(batch, extents_[i]);
            read->set_shape(shape);
        }
        for (std::size_t i = 0; i < plan_.axes.inputs.size(); ++i) {
            if (!plan_.axes.inputs[i]) continue;
            auto& parameter = dynamic_cast<ops::Parameter&>(*graph_.parameters()[i]);
            PartialShape shape = parameter.shape();
            shape[*plan_.axes.inputs[i]] = rows_of(batch, plan_.input_rows[i]);
            parameter.set_shape(shape);
        }
        graph_.validate();
        ops::variables_of(graph_);  // they must agree in shape
    }

private:
    // With n streams that have `each` rows: n * each.
    static Dimension rows_of(const Dimension& batch, const Dimension& each) {
        if (each == Dimension(1) || !each.is_static()) return batch;
        return batch.is_static() ? ops::saturating_multiply(batch.length(), each.length())
                                 : Dimension();
    }

    bool starts_shared(const Node& read) const {
        return std::any_of(plan_.edits.begin(), plan_.edits.end(), [&](const BatchEdit& edit) {
            return edit.kind == BatchEdit::Kind::start && edit.node == &read;
        });
    }

    Output zeros(Rewriter& rewriter, std::size_t variable) const {
        const auto& read = variables_[variable].read;
        Shape shape;
        for (const Dimension& extent : variables_[variable].shape().dimensions()) {
            shape.push_back(static_cast<std::size_t>(extent.min()));
        }
        return rewriter.make_constant(read->name() + "/zeros",
                                      Tensor(variables_[variable].type(), shape));
    }

    void start_with(Rewriter& rewriter, ops::ReadValueBase& read, std::size_t axis,
                    const Output& value) const {
        Formula by(rewriter, read.name() + "/init");
        std::vector<Output> repeats;
        for (std::size_t i = 0; i < value.shape().rank(); ++i) {
            repeats.push_back(i == axis ? streams(by) : by.ints({1}));
        }
        read.set_inputs({by.make<ops::Tile>(value, by.concat(repeats, 0))});
    }

    // The number of streams, as a vector of one.
    Output streams(Formula& by) const {
        std::size_t input = 0;
        while (!plan_.axes.inputs[input] || plan_.input_rows[input] != 1) ++input;
        const Output place = by.ints({static_cast<std::int64_t>(*plan_.axes.inputs[input])});
        return by.gather(by.shape_of(graph_.parameters()[input]), place, 0);
    }

    Graph& graph_;
    RowPlan plan_;
    std::vector<ops::Variable> variables_;
    std::vector<Dimension> extents_;  // one stream's, of each variable
};

void make_batch(Graph& graph, const Dimension& batch, const RowAxesHint& hint) {
    RowPlan plan = plan_with_changes(graph, hint);
    const RowAxesHint found = hint_of(graph, plan.axes);
    apply_edits(plan.edits, graph);
    BatchSetter setter(graph, std::move(plan));
    setter.start_variables();
    setter.set(Dimension());
    const RowAxes axes = proof(graph, found);
    if (!axes.obstacle.empty()) refuse(axes);
    if (batch != Dimension()) setter.set(batch);
}

}  // namespace

bool set_batch(Graph& graph, const Dimension& batch, const RowAxesHint& hint) {
    if (batch.max() < 1) throw ModelError("the batch is 0; a model needs at least one row");
    const std::string before = to_text(graph);
    const auto copy = graph.clone();
    make_batch(*copy, batch, hint);
    if (to_text(*copy) == before) return false;
    graph.take(*copy);
    return true;
}

}  // namespace rondo::passes
