#include "transformations/simplify/passes.hpp"

#include <utility>

#include "core/graph/constants.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/simplify/move_axes.hpp"

namespace rondo::passes {
namespace {

// At most so many nodes are visited for one transpose, however large the graph is.
constexpr int kMaxVisits = 64;
constexpr std::size_t kMaxConstantBytes = 64 * 1024;

// How Transpose(source, order) is made without that transpose, and what it saves.
struct Undo {
    enum class Kind { keep, view, constant, join, transpose, through };
    Output source;
    AxisOrder order;
    Kind kind = Kind::transpose;
    int saved = -1;            // transposes fewer in the graph
    MovedNode plan;            // through
    std::vector<Undo> inputs;  // through: one an input of the node
};

class UndoPlanner {
public:
    // `falls_out`: no other node needs the source after this.
    Undo plan(const Output& source, const AxisOrder& order, bool falls_out) {
        Undo undo{source, order, Undo::Kind::transpose, -1, {}, {}};
        if (--visits_left_ < 0) return undo;
        if (is_identity(order)) {
            set(undo, Undo::Kind::keep, 0);
        } else if (moves_only_unit_axes(order, source.shape())) {
            set(undo, Undo::Kind::view, 0);
        } else if (const Tensor value = known_value(source)) {
            if (falls_out || value.byte_size() <= kMaxConstantBytes) {
                set(undo, Undo::Kind::constant, 0);
            }
        } else if (const auto below = as<ops::Transpose>(source)) {
            plan_join(undo, *below, falls_out);
        } else {
            plan_through(undo, falls_out);
        }
        return undo;
    }

private:
    static void set(Undo& undo, Undo::Kind kind, int saved) {
        undo.kind = kind;
        undo.saved = saved;
    }

    // Two transposes become one, or none.
    static void plan_join(Undo& undo, const ops::Transpose& below, bool falls_out) {
        const auto first = order_of(below);
        if (!first) return;
        const AxisOrder joined = combine(*first, undo.order);
        const bool free = moves_only_unit_axes(joined, below.input(0).shape());
        set(undo, Undo::Kind::join, (falls_out ? 1 : 0) - (free ? 0 : 1));
    }

    void plan_through(Undo& undo, bool falls_out) {
        const Node& node = undo.source.node();
        if (!node.traits().view && !falls_out) return;  // would be computed twice
        auto plan = move_axes(node, undo.order);
        if (!plan) return;
        int saved = 0;
        std::vector<Undo> inputs(plan->inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (plan->inputs[i].kind != MovedInput::Kind::reordered) continue;
            inputs[i] = this->plan(node.input(i), plan->inputs[i].order,
                                   falls_out && has_sole_consumer(node.input(i)));
            saved += inputs[i].saved;
        }
        if (saved < undo.saved) return;
        undo.plan = std::move(*plan);
        undo.inputs = std::move(inputs);
        set(undo, Undo::Kind::through, saved);
    }

    int visits_left_ = kMaxVisits;
};

class UndoBuilder {
public:
    explicit UndoBuilder(Rewriter& rewriter) : rewriter_(rewriter) {}

    Output build(const Undo& undo) {
        switch (undo.kind) {
            case Undo::Kind::keep: return undo.source;
            case Undo::Kind::view: return moved_view(undo.source, undo.order);
            case Undo::Kind::constant: return transposed_constant(undo);
            case Undo::Kind::join: return joined(undo);
            case Undo::Kind::through: return through(undo);
            case Undo::Kind::transpose: break;
        }
        return transposed(undo.source, undo.order);
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

    Output transposed_constant(const Undo& undo) {
        const Output node = transposed(undo.source, undo.order);
        const std::vector<Tensor> inputs{known_value(undo.source),
                                         known_value(node.node().input(1))};
        return rewriter_.make_constant(undo.source.node().name(),
                                       reference::evaluate(node.node(), inputs).front());
    }

    Output joined(const Undo& undo) {
        const Node& below = undo.source.node();
        const AxisOrder order = combine(*order_of(below), undo.order);
        const Output data = below.input(0);
        if (is_identity(order)) return data;
        if (moves_only_unit_axes(order, data.shape())) return moved_view(data, order);
        return transposed(data, order);
    }

    Output through(const Undo& undo) {
        const NodePtr node = undo.source.node_ptr();
        std::vector<Output> data = node->inputs();
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (undo.plan.inputs[i].kind == MovedInput::Kind::reordered) {
                data[i] = build(undo.inputs[i]);
            }
        }
        NodePtr made = make_moved(rewriter_, *node, undo.plan, std::move(data));
        replaced_.emplace_back(node, made);
        return made;
    }

    Rewriter& rewriter_;
    std::vector<std::pair<NodePtr, NodePtr>> replaced_;
};

void cancel(ops::Transpose& transpose, Rewriter& rewriter) {
    const auto order = order_of(transpose);
    const Output source = transpose.input(0);
    if (!order || is_identity(*order) || as<ops::Transpose>(source) || known_value(source) ||
        moves_only_unit_axes(*order, source.shape())) {
        return;  // left to other passes
    }
    // An op with other readers is also moved if it pays: the others get a transpose back.
    const bool shared = !has_sole_consumer(source);
    const bool turned_back = shared && !source.node().traits().view;
    const Undo undo = UndoPlanner().plan(source, *order, !shared || turned_back);
    if (1 + undo.saved - (turned_back ? 1 : 0) <= 0) return;
    UndoBuilder builder(rewriter);
    const Output made = builder.build(undo);
    if (!rewriter.can_replace(transpose.output(0), made)) return;
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
