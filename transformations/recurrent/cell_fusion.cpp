#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/recurrent/cells_and_sequences.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/common/extent_origin.hpp"
#include "transformations/pass/rewriter.hpp"
#include "transformations/recurrent/loop_cell.hpp"
#include "transformations/recurrent/sequence_maker.hpp"
#include "transformations/recurrent/written_step.hpp"

namespace rondo::passes {
namespace {

// Whether values have the same rows.
enum class Rows { same, open, different };

// Where each node stood when the pass began, and a new cell where H' did: the search for what a
// value needs ends where it can't come back.
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
        std::vector<const Node*> open;
        std::unordered_set<const Node*> seen;
        for (const Output& value : values) open.push_back(&value.node());
        while (!open.empty()) {
            const Node* node = open.back();
            open.pop_back();
            const auto is_node = [&](const Output& other) { return &other.node() == node; };
            if (std::any_of(others.begin(), others.end(), is_node)) return true;
            if (place_of(*node) < first || !seen.insert(node).second) continue;
            for (const Output& input : node->inputs()) open.push_back(&input.node());
        }
        return false;
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
    CellMaker(Rewriter& rewriter, NodeOrder& order, const WrittenStep& step)
        : rewriter_(rewriter), order_(order), step_(step) {}

    void make() {
        std::vector<Output> values = inputs();
        if (order_.needs(values, step_.next)) return;
        has_row_axis_ = has_row_axes(values) && has_row_axes(step_.next);
        if (!has_row_axis_ && (step_.moves_rows || !has_same_ranks(values))) return;
        const Rows rows = rows_of(values);
        if (rows == Rows::different || (rows == Rows::open && step_.joins_some)) return;
        if (has_row_axis_) values = as_rows(values);
        if (rows == Rows::open) values = broadcast(std::move(values));
        like_ = values.front();
        replace(made(as_rows(values)));
    }

private:
    bool is_lstm() const { return step_.cell.type == ops::CellType::lstm; }
    std::int64_t units() const { return step_.cell.attributes.hidden_size; }
    std::string name() const { return step_.next[step_.cell.hidden_state].node().name(); }

    // Those of X, H and, of an LSTM, C.
    std::vector<Output> inputs() const {
        std::vector<Output> values;
        for (const std::size_t number : step_.cell.inputs) values.push_back(step_.inputs[number]);
        values.push_back(step_.now[step_.cell.hidden_state]);
        if (is_lstm()) values.push_back(step_.now[step_.cell.cell_state]);
        return values;
    }

    static bool has_row_axes(const std::vector<Output>& values) {
        return std::all_of(values.begin(), values.end(),
                           [](const Output& value) { return row_axis(value.shape()).has_value(); });
    }

    // All axes but the last hold rows, as where a batch stands in front of a batch.
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
                const bool is_same =
                    extent.is_static() ||
                    origin_of_extent(value, own[i]) == origin_of_extent(values.front(), first[i]);
                if (!is_same) result = Rows::open;
            }
        }
        return result;
    }

    // [N,I] and [N,H].
    std::vector<Output> as_rows(const std::vector<Output>& values) {
        std::vector<Output> rows;
        for (const Output& value : values) {
            const auto units = static_cast<std::int64_t>(units_of(value.shape()));
            rows.push_back(value.shape().rank() == 2
                               ? value
                               : rewriter_.make<ops::Reshape>(
                                     name() + "/rows", value,
                                     rewriter_.make_ints(name() + "/pattern", {-1, units}), false));
        }
        return rows;
    }

    // Each with the rows of all, as the arithmetic has it: some of them may have one row. Those
    // that a Concat had side by side have the same, which it or the cell checks.
    std::vector<Output> broadcast(std::vector<Output> values) {
        if (step_.joins_rows) return is_lstm() ? broadcast_joined(values) : values;
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
        const Output joined = rewriter_.make<ops::Concat>(name() + "/joined", values, last);
        const Output rows = with_rows_of(joined, c);
        const auto split = rewriter_.make<ops::VariadicSplit>(
            name() + "/parts", rows, rewriter_.make_scalar(name() + "/axis", last),
            rewriter_.make_ints(name() + "/sizes", sizes));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = split->output(i);
        values.push_back(with_rows_of(c, rows));
        return values;
    }

    Output with_rows_of(const Output& value, const Output& other) {
        const Output target = shape_of_rows(other, 1);
        return rewriter_.make<ops::Broadcast>(name() + "/rows", value, target,
                                              ops::BroadcastMode::bidirectional);
    }

    // All extents but the last one, and a number behind them.
    Output shape_of_rows(const Output& value, std::int64_t last) {
        const PartialShape& extents = value.shape();
        std::vector<Output> parts;
        for (std::size_t axis = 0; axis + 1 < extents.rank(); ++axis) {
            parts.push_back(extents[axis].is_static() ? ints("extent", extents[axis].length())
                                                      : extent(value, axis));
        }
        parts.push_back(ints("units", last));
        return rewriter_.make<ops::Concat>(name() + "/shape", parts, 0);
    }

    Output extent(const Output& value, std::size_t axis) {
        const auto shape = rewriter_.make<ops::ShapeOf>(name() + "/extents", value);
        return rewriter_.make<ops::Gather>(name() + "/extent", shape,
                                           ints("place", static_cast<std::int64_t>(axis)),
                                           ints("axis", 0));
    }

    Output ints(const char* role, std::int64_t value) {
        return rewriter_.make_ints(name() + "/" + role, {value});
    }

    NodePtr made(std::vector<Output> values) {
        const std::size_t parts = step_.cell.inputs.size();
        const auto behind = values.begin() + static_cast<std::ptrdiff_t>(parts);
        std::vector<Output> inputs{
            parts == 1 ? values.front()
                       : Output(rewriter_.make<ops::Concat>(
                             name() + "/X", std::vector<Output>(values.begin(), behind), 1))};
        inputs.insert(inputs.end(), behind, values.end());
        for (const auto& [role, weights] :
             {std::pair("W", step_.cell.w), std::pair("R", step_.cell.r),
              std::pair("B", step_.cell.b), std::pair("P", step_.cell.p)}) {
            if (weights) inputs.push_back(constant(role, weights));
        }
        switch (step_.cell.type) {
            case ops::CellType::lstm: return made<ops::LSTMCell>(inputs);
            case ops::CellType::gru: return made<ops::GRUCell>(inputs);
            case ops::CellType::rnn: return made<ops::RNNCell>(inputs);
        }
        return nullptr;
    }

    template <typename Op>
    NodePtr made(const std::vector<Output>& inputs) {
        Op op;
        op.set_attributes(step_.cell.attributes);
        op.set_name(name());
        return rewriter_.clone(op, inputs);
    }

    // Without the axis of the direction.
    Output constant(const std::string& role, const Tensor& weights) {
        Shape shape = weights.shape();
        shape.erase(shape.begin());
        return rewriter_.make_constant(name() + "/" + role, weights.reshaped(shape));
    }

    void replace(const NodePtr& cell) {
        order_.put(cell, step_.next[step_.cell.hidden_state].node());
        replace(step_.next[step_.cell.hidden_state], {cell, 0});
        if (is_lstm()) replace(step_.next[step_.cell.cell_state], {cell, 1});
    }

    void replace(const Output& value, const Output& state) {
        const PartialShape& shape = value.shape();
        if (shape.rank() == 2) return rewriter_.replace(value, state);
        if (!has_row_axis_) return rewriter_.replace(value, in_rows(state));
        std::vector<std::int64_t> pattern(shape.rank(), 1);
        pattern[*row_axis(shape)] = -1;
        pattern.back() = units();
        rewriter_.replace(value,
                          reshaped(state, rewriter_.make_ints(name() + "/pattern", pattern)));
    }

    Output reshaped(const Output& state, const Output& pattern) {
        return rewriter_.make<ops::Reshape>(name() + "/state", state, pattern, false);
    }

    // Nothing is known of a computed pattern: the Broadcast, a view, says what is.
    Output in_rows(const Output& state) {
        const Output rows = reshaped(state, shape_of_rows(like_, units()));
        std::vector<std::int64_t> known;
        for (const Dimension& extent : like_.shape().dimensions()) {
            known.push_back(extent.is_static() ? extent.length() : 1);
        }
        known.back() = units();
        return rewriter_.make<ops::Broadcast>(name() + "/state", rows,
                                              rewriter_.make_ints(name() + "/known", known),
                                              ops::BroadcastMode::bidirectional);
    }

    Rewriter& rewriter_;
    NodeOrder& order_;
    const WrittenStep& step_;
    bool has_row_axis_ = false;
    Output like_;  // a value that has all rows, before axes that hold them are merged
};

}  // namespace

bool cell_fusion(Graph& graph) {
    Rewriter rewriter(graph);
    NodeOrder order(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        const bool may_be_hidden = as_op<ops::Binary>(*node) != nullptr ||
                                   as_op<ops::Unary>(*node) != nullptr ||
                                   as_op<ops::Select>(*node) != nullptr;
        const auto step = may_be_hidden ? read_written_step(node->output(0)) : std::nullopt;
        if (step) CellMaker(rewriter, order, *step).make();
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
