#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/extents/extent_origin.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/product/matmul.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/node_roles.hpp"
#include "transformations/recurrent/recognition/sequence_maker.hpp"
#include "transformations/recurrent/recognition/step_reader.hpp"

namespace rondo::passes {
namespace {

using ops::BinaryFunction;

// No cell has more nodes.
constexpr std::size_t kMostNodes = 128;
// Nor more values from which its next state is summed.
constexpr std::size_t kMostCandidates = 12;
constexpr int kMostSums = 5;

bool has(const std::vector<Output>& values, const Output& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_choice(const Node& node) { return as_op<ops::Select>(node) != nullptr; }

bool is_unary(const Node& node) { return as_op<ops::Unary>(node) != nullptr; }

// As an RNN's H' is; softsign is a quotient.
bool is_function(const Node& node) {
    return is_unary(node) || ops::is(node, BinaryFunction::divide);
}

// What sums and products give a value, the nearest first: one of it may be its state.
std::vector<Output> summed_values(const Output& value) {
    const std::size_t units = units_of(value.shape());
    std::vector<Output> found, level{value};
    for (int depth = 0; depth < kMostSums && found.size() < kMostCandidates; ++depth) {
        std::vector<Output> next;
        for (const Output& one : level) {
            if (!is_choice(one.node()) && !is_sum(one.node())) continue;
            for (std::size_t i = is_choice(one.node()) ? 1 : 0; i < one.node().input_count(); ++i) {
                const Output& input = one.node().input(i);
                if (known_value(input) || units_of(input.shape()) != units) continue;
                next.push_back(input);
                if (!is_unary(input.node()) && !has(found, input)) found.push_back(input);
            }
        }
        level = std::move(next);
    }
    return found;
}

// Whether a value, or a view of it, is an output of the graph or the next value of a variable.
bool leaves(const Output& value) {
    const auto& readers = value.consumers();
    return std::any_of(readers.begin(), readers.end(), [](const Consumer& reader) {
        const Node& node = *reader.node;
        if (is_result(node) || as_op<ops::Assign>(node) != nullptr) return true;
        return node.traits().view && leaves(reader.node->output(0));
    });
}

// How a walk takes inputs that a Concat has side by side, without a state among them.
enum class JoinedInputs { one_by_one, as_one };

// A step with given states: its inputs are what constant matrices multiply.
class StepWalk {
public:
    StepWalk(std::vector<Output> next, std::vector<Output> now,
             JoinedInputs joined = JoinedInputs::one_by_one)
        : next_(std::move(next)), now_(std::move(now)), joined_(joined) {
        for (const Output& value : next_) open(value);
        while (!open_.empty() && inside_.size() <= kMostNodes) {
            const Output value = open_.back();
            open_.pop_back();
            visit(value);
        }
        ends_ = ends_ && inside_.size() <= kMostNodes;
    }

    /// Whether everything that the states are computed of was found.
    bool ends() const { return ends_; }
    const std::vector<Output>& inputs() const { return inputs_; }
    const std::set<const Node*>& inside() const { return inside_; }
    bool joins_rows() const { return joins_rows_; }
    bool joins_some() const {
        return joins_rows_ &&
               !std::all_of(inputs_.begin(), inputs_.end(),
                            [&](const Output& input) { return has(beside_states_, input); });
    }
    bool moves_rows() const { return moves_rows_; }
    /// Whether a constant matrix multiplies a state, possibly after the reset gate.
    bool recurs() const { return recurs_; }

    /// Whether nothing else reads what lies inside.
    bool is_closed() const {
        return std::all_of(inside_.begin(), inside_.end(), [&](const Node* node) {
            for (std::size_t i = 0; i < node->output_count(); ++i) {
                if (!is_next(*node, i) && is_read_outside(node->consumers(i))) return false;
            }
            return true;
        });
    }

private:
    bool is_next(const Node& node, std::size_t output) const {
        return std::any_of(next_.begin(), next_.end(), [&](const Output& value) {
            return &value.node() == &node && value.index() == output;
        });
    }

    bool is_read_outside(const Consumers& readers) const {
        return std::any_of(readers.begin(), readers.end(),
                           [&](const Consumer& reader) { return !inside_.contains(reader.node); });
    }

    void open(const Output& value) {
        const bool is_end = has(now_, value) || has(inputs_, value) || known_value(value);
        if (!is_end && !inside_.contains(&value.node())) open_.push_back(value);
    }

    void visit(const Output& value) {
        const Node& node = value.node();
        if (!inside_.insert(&node).second) return;
        if (as_op<ops::MatMul>(node) != nullptr) {
            multiply(node.input(0));
            ends_ = ends_ && known_value(node.input(1));
        } else if (node.traits().elementwise) {
            for (const Output& input : node.inputs()) open(input);
        } else if (order_of(node) || gathered_axis(node) || cuts_parts(node) ||
                   node.traits().view) {
            moves_rows_ = moves_rows_ || is_moved(node);
            open(node.input(0));
        } else {
            ends_ = false;
        }
    }

    // A view of the same last axis and others in front of it.
    static bool is_moved(const Node& node) {
        if (!node.traits().view) return false;
        const PartialShape& before = node.input(0).shape();
        const PartialShape& after = node.output_shape(0);
        return units_of(before) == units_of(after) && !(before == after);
    }

    // A state, a view of one, or one times its reset gate.
    bool is_made_of_state(const Output& value) const {
        const Node& node = value.node();
        const bool may_be = node.traits().view || ops::is(node, BinaryFunction::multiply);
        return has(now_, value) ||
               (may_be && std::any_of(node.inputs().begin(), node.inputs().end(),
                                      [&](const Output& input) { return has(now_, input); }));
    }

    // Values side by side, or one value.
    void multiply(const Output& left) {
        if (as_op<ops::Concat>(left.node()) == nullptr) return take(left);
        const auto& parts = left.node().inputs();
        const bool has_state = std::any_of(
            parts.begin(), parts.end(), [&](const Output& part) { return is_made_of_state(part); });
        if (!has_state && joined_ == JoinedInputs::as_one) return take(left);
        inside_.insert(&left.node());
        joins_rows_ = true;
        for (const Output& part : parts) {
            take(part);
            if (has_state) beside_states_.push_back(part);
        }
    }

    void take(const Output& left) {
        if (has(now_, left)) {
            recurs_ = true;
            return;
        }
        const bool has_state = is_made_of_state(left);
        recurs_ = recurs_ || has_state;
        if (has_state) {
            open(left);
        } else if (!has(inputs_, left)) {
            inputs_.push_back(left);
        }
    }

    std::vector<Output> next_, now_;
    JoinedInputs joined_;
    std::vector<Output> open_, inputs_;
    std::vector<Output> beside_states_;  // in a Concat, which has the same rows for all
    std::set<const Node*> inside_;
    bool ends_ = true;
    bool joins_rows_ = false;
    bool moves_rows_ = false;
    bool recurs_ = false;
};

// A cell that is written out once. Values have their rows in one axis and their units in the last.
struct MatchedStep {
    CellFormula cell;
    StepWalk walk;             // its inputs are by the formula's numbers
    std::vector<Output> now;   // states before, by number
    std::vector<Output> next;  // states after it
};

// Whether a step has as many functions as a cell with gates: seen before its weights are read.
bool has_gates(const StepWalk& walk) {
    const auto count = std::count_if(walk.inside().begin(), walk.inside().end(), [](auto* node) {
        return node->traits().elementwise && !is_sum(*node);
    });
    return count >= 2;
}

// Reads the step that computes a value as the next H. Returns nothing if it isn't that of an LSTM,
// GRU or RNN cell, or if something else reads what lies inside of the step.
class MatchedStepReader {
public:
    explicit MatchedStepReader(const Output& hidden) : hidden_(hidden) {}

    std::optional<MatchedStep> read() {
        const Node& node = hidden_.node();
        if (hidden_.element_type() != ElementType::f32 || units_of(hidden_.shape()) == 0) return {};
        if (ops::is(node, BinaryFunction::multiply)) {
            for (const std::size_t i : {0U, 1U}) {
                if (auto step = read_lstm(node.input(i))) return step;
            }
            return {};
        }
        if (is_sum(node) || is_choice(node)) {
            if (auto step = read_gru()) return step;
        }
        return is_choice(node) || is_function(node) ? read_rnn() : std::nullopt;
    }

private:
    // H' is a gate times this: C', or a function of it.
    std::optional<MatchedStep> read_lstm(const Output& factor) const {
        const Output cell = is_unary(factor.node()) ? factor.node().input(0) : factor;
        const bool may_be_cell = is_sum(cell.node()) || is_choice(cell.node());
        if (!may_be_cell || units_of(cell.shape()) != units_of(hidden_.shape())) return {};
        for (const Output& state : summed_values(cell)) {
            for (const Output& hidden : factors_before(cell, state)) {
                if (auto step = read_with({hidden_, cell}, {hidden, state})) return step;
            }
        }
        return {};
    }

    // What may be H, since it has as many units: the last one first, since X mostly precedes H.
    std::vector<Output> factors_before(const Output& cell, const Output& state) const {
        const StepWalk walk({hidden_, cell}, {state});
        if (!walk.ends()) return {};
        std::vector<Output> found;
        for (const Output& input : walk.inputs()) {
            const bool fits = units_of(input.shape()) == units_of(hidden_.shape());
            if (fits && !known_value(input)) found.insert(found.begin(), input);
        }
        return found;
    }

    std::optional<MatchedStep> read_gru() const {
        for (const Output& state : summed_values(hidden_)) {
            auto step = read_with({hidden_}, {state});
            if (step && step->cell.type == ops::CellType::gru) return step;
        }
        return {};
    }

    std::optional<MatchedStep> read_rnn() const {
        if (!leaves(hidden_)) return {};
        const StepWalk walk({hidden_}, {});
        if (!walk.ends() || walk.inputs().size() != 2) return {};
        for (const Output& state : {walk.inputs()[1], walk.inputs()[0]}) {
            const Node& source = behind_views(state).node();
            const bool is_kept = is_parameter(source) || as_op<ops::ReadValue>(source) != nullptr;
            if (!is_kept || state.shape() != hidden_.shape()) continue;
            auto step = read_with({hidden_}, {state});
            if (step && step->cell.type == ops::CellType::rnn) return step;
        }
        return {};
    }

    static std::optional<MatchedStep> read_with(std::vector<Output> next, std::vector<Output> now) {
        const StepWalk walk(next, now, JoinedInputs::as_one);
        const bool may_be_cell = walk.ends() && walk.recurs() && !walk.inputs().empty();
        if (!may_be_cell || !walk.is_closed()) return {};
        if (!is_function(next.front().node()) && !has_gates(walk)) return {};
        GateAlgebra algebra;
        StepReader reader(algebra, [&](const Output& value) -> MaybeFormula {
            const std::size_t units = units_of(value.shape());
            const auto place_in = [&](const std::vector<Output>& all) {
                return static_cast<std::size_t>(std::find(all.begin(), all.end(), value) -
                                                all.begin());
            };
            const std::size_t state = place_in(now), input = place_in(walk.inputs());
            if (state < now.size()) return algebra.state(state, units);
            if (input == walk.inputs().size() || units == 0) return {};
            return algebra.input(input, units);
        });
        const auto formulas = reader.read_all(next);
        if (formulas.empty() || !reader.constant_rows().empty()) return {};
        auto cell = recognise_cell(algebra, formulas);
        if (!cell || cell->inputs.empty()) return {};
        return MatchedStep{*std::move(cell), walk, std::move(now), std::move(next)};
    }

    const Output hidden_;
};

// Whether values have the same rows.
enum class Rows { same, open, different };

// The position that each node had when the pass began; a new cell gets that of its H'. The search
// for what a value needs ends at nodes that come before all it looks for.
class NodeOrder {
public:
    explicit NodeOrder(const Graph& graph) : nodes_(graph.ordered_nodes()) {
        for (const NodePtr& node : nodes_) places_.emplace(node.get(), places_.size());
    }

    void put(const NodePtr& made, const Node& at) {
        nodes_.push_back(made);
        places_[made.get()] = places_.at(&at);
    }

    bool needs(const std::vector<Output>& values, const std::vector<Output>& others) const {
        std::size_t first = places_.size();
        for (const Output& other : others) first = std::min(first, place_of(other.node()));
        return walk_up(values, [&](const Node& node) -> std::optional<std::size_t> {
            const auto is_node = [&](const Output& other) { return &other.node() == &node; };
            if (std::any_of(others.begin(), others.end(), is_node)) return {};
            return place_of(node) < first ? 0 : kAllInputs;
        });
    }

private:
    std::size_t place_of(const Node& node) const {
        const auto at = places_.find(&node);
        return at == places_.end() ? places_.size() : at->second;
    }

    std::vector<NodePtr> nodes_;
    std::unordered_map<const Node*, std::size_t> places_;
};

class CellMaker {
public:
    CellMaker(Rewriter& rewriter, NodeOrder& order, const MatchedStep& step)
        : by_(rewriter, step.next[step.cell.hidden_state].node().name()),
          order_(order),
          step_(step) {}

    void make() {
        std::vector<Output> values = inputs();
        if (order_.needs(values, step_.next)) return;
        has_row_axis_ = has_row_axes(values) && has_row_axes(step_.next);
        if (!has_row_axis_ && (step_.walk.moves_rows() || !has_same_ranks(values))) return;
        const Rows rows = rows_of(values);
        if (rows == Rows::different || (rows == Rows::open && step_.walk.joins_some())) return;
        if (has_row_axis_) values = as_rows(values);
        if (rows == Rows::open) values = broadcast(std::move(values));
        like_ = values.front();
        replace(made(as_rows(values)));
    }

private:
    std::int64_t units() const { return step_.cell.attributes.hidden_size; }

    // Those of X, H and, of an LSTM, C.
    std::vector<Output> inputs() const {
        std::vector<Output> values;
        for (const std::size_t number : step_.cell.inputs)
            values.push_back(step_.walk.inputs()[number]);
        values.push_back(step_.now[step_.cell.hidden_state]);
        if (step_.cell.is_lstm()) values.push_back(step_.now[step_.cell.cell_state]);
        return values;
    }

    static bool has_row_axes(const std::vector<Output>& values) {
        return std::all_of(values.begin(), values.end(),
                           [](const Output& value) { return row_axis(value.shape()).has_value(); });
    }

    // Whether all ranks are the same: then all axes but the last hold rows, such as two batch axes.
    bool has_same_ranks(const std::vector<Output>& values) const {
        const PartialShape& first = step_.next.front().shape();
        const auto fits = [&](const Output& value) {
            return value.shape().has_rank() && value.shape().rank() == first.rank();
        };
        return first.has_rank() && std::all_of(values.begin(), values.end(), fits) &&
               std::all_of(step_.next.begin(), step_.next.end(), fits);
    }

    std::vector<std::size_t> axes_of(const Output& value) const {
        if (has_row_axis_) return {*row_axis(value.shape())};
        std::vector<std::size_t> axes(value.shape().rank() - 1);
        std::iota(axes.begin(), axes.end(), std::size_t{0});
        return axes;
    }

    // The same for certain, or as the run has them.
    Rows rows_of(const std::vector<Output>& values) const {
        Rows result = Rows::same;
        const auto first = axes_of(values.front());
        for (const Output& value : values) {
            const auto own = axes_of(value);
            for (std::size_t i = 0; i < own.size(); ++i) {
                const Dimension& extent = value.shape()[own[i]];
                const Dimension& expected = values.front().shape()[first[i]];
                if (extent.is_static() != expected.is_static()) return Rows::different;
                if (extent.is_static() && extent != expected) return Rows::different;
                if (!same_extent(value, own[i], values.front(), first[i])) result = Rows::open;
            }
        }
        return result;
    }

    // [N,I] and [N,H].
    std::vector<Output> as_rows(std::vector<Output> values) {
        for (Output& value : values) {
            const auto size = static_cast<std::int64_t>(units_of(value.shape()));
            if (value.shape().rank() != 2) value = by_.reshape(value, {-1, size});
        }
        return values;
    }

    // Each with the rows of all, as the arithmetic has it: some of them may have one row. Those
    // that a Concat had side by side have the same, which it or the cell checks.
    std::vector<Output> broadcast(std::vector<Output> values) {
        if (step_.walk.joins_rows())
            return step_.cell.is_lstm() ? broadcast_joined(values) : values;
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[0] = with_rows_of(values[0], values[i]);
        }
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[i] = with_rows_of(values[i], values[0]);
        }
        return values;
    }

    // X and H stay side by side until they have the rows of C.
    std::vector<Output> broadcast_joined(std::vector<Output> values) {
        const Output c = values.back();
        values.pop_back();
        std::vector<std::int64_t> sizes;
        for (const Output& value : values) {
            sizes.push_back(static_cast<std::int64_t>(units_of(value.shape())));
        }
        const std::int64_t last = static_cast<std::int64_t>(c.shape().rank()) - 1;
        const Output rows = with_rows_of(by_.concat(values, last), c);
        const Output split = by_.make<ops::VariadicSplit>(rows, by_.integer(last), by_.ints(sizes));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = {split.node_ptr(), i};
        values.push_back(with_rows_of(c, rows));
        return values;
    }

    Output with_rows_of(const Output& value, const Output& other) {
        return by_.broadcast_both(value, shape_of_rows(other, 1));
    }

    // All extents but the last one, followed by the number `last`.
    Output shape_of_rows(const Output& value, std::int64_t last) {
        const PartialShape& extents = value.shape();
        std::vector<Output> parts;
        for (std::size_t axis = 0; axis + 1 < extents.rank(); ++axis) {
            parts.push_back(extents[axis].is_static()
                                ? by_.ints({extents[axis].length()})
                                : by_.run_extent(value, static_cast<std::int64_t>(axis)));
        }
        parts.push_back(by_.ints({last}));
        return by_.concat(parts, 0);
    }

    NodePtr made(std::vector<Output> values) {
        const auto behind = values.begin() + static_cast<std::ptrdiff_t>(step_.cell.inputs.size());
        const std::vector<Output> x(values.begin(), behind);
        std::vector<Output> inputs{x.size() == 1 ? x.front() : by_.concat(x, 1)};
        inputs.insert(inputs.end(), behind, values.end());
        return make_op(by_, by_.prefix(), step_.cell, step_.cell.attributes, false,
                       std::move(inputs));
    }

    void replace(const NodePtr& cell) {
        order_.put(cell, step_.next[step_.cell.hidden_state].node());
        replace(step_.next[step_.cell.hidden_state], {cell, 0});
        if (step_.cell.is_lstm()) replace(step_.next[step_.cell.cell_state], {cell, 1});
    }

    void replace(const Output& value, const Output& state) {
        const bool is_moved = value.shape().rank() != 2 && !has_row_axis_;
        by_.rewriter().replace(
            value, is_moved ? in_rows(state) : make_last_state(by_, state, value.shape()));
    }

    // Nothing is known of a computed pattern: the Broadcast, a view, says what is.
    Output in_rows(const Output& state) {
        const Output rows = by_.make<ops::Reshape>(state, shape_of_rows(like_, units()), false);
        std::vector<std::int64_t> known;
        for (const Dimension& extent : like_.shape().dimensions()) {
            known.push_back(extent.is_static() ? extent.length() : 1);
        }
        known.back() = units();
        return by_.broadcast_both(rows, by_.ints(known));
    }

    Formula by_;
    NodeOrder& order_;
    const MatchedStep& step_;
    bool has_row_axis_ = false;
    Output like_;  // a value that has all rows, before axes that hold them are merged
};

}  // namespace

bool cell_fusion(Graph& graph) {
    Rewriter rewriter(graph);
    NodeOrder order(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        const bool may_be_hidden = node->traits().elementwise;
        const auto step = may_be_hidden ? MatchedStepReader(node->output(0)).read() : std::nullopt;
        if (step) CellMaker(rewriter, order, *step).make();
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
