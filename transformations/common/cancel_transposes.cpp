#include "transformations/common/cancel_transposes.hpp"

#include <utility>

#include "core/ops/reference/evaluate.hpp"
#include "transformations/common/axis_order.hpp"
#include "transformations/common/move_axes.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// At most so many nodes are visited for one transpose, however large the graph is.
constexpr int kMaxSteps = 64;
constexpr std::size_t kMaxConstantBytes = 64 * 1024;

// How Transpose(source, order) is made without that transpose, and what it saves.
struct Step {
    enum class Kind { keep, view, constant, join, transpose, through };
    Output source;
    AxisOrder order;
    Kind kind = Kind::transpose;
    int saved = -1;            // transposes fewer in the graph
    MovedNode plan;            // through
    std::vector<Step> inputs;  // through: one an input of the node
};

class Planner {
public:
    // `falls_out`: no other node needs the source after this.
    Step plan(const Output& source, const AxisOrder& order, bool falls_out) {
        Step step{source, order, Step::Kind::transpose, -1, {}, {}};
        if (--steps_left_ < 0) return step;
        if (is_identity(order)) {
            set(step, Step::Kind::keep, 0);
        } else if (moves_only_unit_axes(order, source.shape())) {
            set(step, Step::Kind::view, 0);
        } else if (const Tensor value = constant_value(source)) {
            if (falls_out || value.byte_size() <= kMaxConstantBytes) {
                set(step, Step::Kind::constant, 0);
            }
        } else if (const auto below = as<ops::Transpose>(source)) {
            plan_join(step, *below, falls_out);
        } else {
            plan_through(step, falls_out);
        }
        return step;
    }

private:
    static void set(Step& step, Step::Kind kind, int saved) {
        step.kind = kind;
        step.saved = saved;
    }

    // Two transposes become one, or none.
    static void plan_join(Step& step, const ops::Transpose& below, bool falls_out) {
        const auto first = order_of(below);
        if (!first) return;
        const AxisOrder joined = combine(*first, step.order);
        const bool free = moves_only_unit_axes(joined, below.input(0).shape());
        set(step, Step::Kind::join, (falls_out ? 1 : 0) - (free ? 0 : 1));
    }

    void plan_through(Step& step, bool falls_out) {
        const Node& node = step.source.node();
        if (!node.traits().view && !falls_out) return;  // would be computed twice
        auto plan = move_axes(node, step.order);
        if (!plan) return;
        int saved = 0;
        std::vector<Step> inputs(plan->inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (plan->inputs[i].kind != MovedInput::Kind::reordered) continue;
            inputs[i] = this->plan(node.input(i), plan->inputs[i].order,
                                   falls_out && has_sole_consumer(node.input(i)));
            saved += inputs[i].saved;
        }
        if (saved < step.saved) return;
        step.plan = std::move(*plan);
        step.inputs = std::move(inputs);
        set(step, Step::Kind::through, saved);
    }

    int steps_left_ = kMaxSteps;
};

class Builder {
public:
    explicit Builder(Rewriter& rewriter) : rewriter_(rewriter) {}

    Output build(const Step& step) {
        switch (step.kind) {
            case Step::Kind::keep: return step.source;
            case Step::Kind::view: return moved_view(step.source, step.order);
            case Step::Kind::constant: return transposed_constant(step);
            case Step::Kind::join: return joined(step);
            case Step::Kind::through: return through(step);
            case Step::Kind::transpose: break;
        }
        return transposed(step.source, step.order);
    }

    /// Nodes that fell out of the graph leave their names to those made instead.
    void hand_over_names() {
        for (const auto& [old, made] : replaced_) rewriter_.inherit_name(old, *made);
    }

    Output transposed(const Output& data, const AxisOrder& order) {
        const std::string name = data.node().name() + "/transpose";
        return rewriter_.make<ops::Transpose>(name, data,
                                              rewriter_.make_ints(name + "/order", to_ints(order)));
    }

private:
    Output moved_view(const Output& data, const AxisOrder& order) {
        return make_unit_axis_move(rewriter_, data, order, data.node().name() + "/view");
    }

    Output transposed_constant(const Step& step) {
        const Output node = transposed(step.source, step.order);
        const std::vector<Tensor> inputs{constant_value(step.source),
                                         constant_value(node.node().input(1))};
        return rewriter_.make_constant(step.source.node().name(),
                                       reference::evaluate(node.node(), inputs).front());
    }

    Output joined(const Step& step) {
        const auto below = as<ops::Transpose>(step.source);
        const AxisOrder order = combine(*order_of(*below), step.order);
        const Output data = below->input(0);
        if (is_identity(order)) return data;
        if (moves_only_unit_axes(order, data.shape())) return moved_view(data, order);
        return transposed(data, order);
    }

    Output through(const Step& step) {
        const NodePtr node = step.source.node_ptr();
        std::vector<Output> data = node->inputs();
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (step.plan.inputs[i].kind == MovedInput::Kind::reordered) {
                data[i] = build(step.inputs[i]);
            }
        }
        NodePtr made = make_moved(rewriter_, *node, step.plan, std::move(data));
        replaced_.emplace_back(node, made);
        return made;
    }

    Rewriter& rewriter_;
    std::vector<std::pair<NodePtr, NodePtr>> replaced_;
};

void cancel(ops::Transpose& transpose, Rewriter& rewriter) {
    const auto order = order_of(transpose);
    const Output source = transpose.input(0);
    if (!order || is_identity(*order) || as<ops::Transpose>(source) || constant_value(source) ||
        moves_only_unit_axes(*order, source.shape())) {
        return;  // left to other passes
    }
    // An op with other readers is also moved if it pays: the others get a transpose back.
    const bool shared = !has_sole_consumer(source);
    const bool turned_back = shared && !source.node().traits().view;
    const Step step = Planner().plan(source, *order, !shared || turned_back);
    if (1 + step.saved - (turned_back ? 1 : 0) <= 0) return;
    Builder builder(rewriter);
    const Output made = builder.build(step);
    if (!Rewriter::can_replace(transpose.output(0), made)) return;
    rewriter.replace(transpose.output(0), made);
    if (turned_back) rewriter.replace(source, builder.transposed(made, inverse(*order)));
    builder.hand_over_names();
}

}  // namespace

bool cancel_transposes(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::Transpose>([&](const auto& node) { cancel(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
