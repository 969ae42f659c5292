#include "transformations/recurrent/cell_fusion.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/elementwise/binary.hpp"
#include "core/ops/elementwise/select.hpp"
#include "core/ops/elementwise/unary.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/recurrent/gru_cell.hpp"
#include "core/ops/recurrent/lstm_cell.hpp"
#include "core/ops/recurrent/rnn_cell.hpp"
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

class CellMaker {
public:
    CellMaker(Rewriter& rewriter, const WrittenStep& step) : rewriter_(rewriter), step_(step) {}

    void make() {
        for (const Output& value : step_.next) {
            if (!row_axis(value.shape())) return;
        }
        const auto values = inputs();
        const Rows rows = rows_of(values);
        if (rows == Rows::different) return;
        replace(made(rows == Rows::same ? as_rows(values) : broadcast(as_rows(values))));
    }

private:
    bool is_lstm() const { return step_.cell.type == ops::CellType::lstm; }
    std::string name() const { return step_.next[step_.cell.hidden_state].node().name(); }

    // Those of X, H and, of an LSTM, C.
    std::vector<Output> inputs() const {
        std::vector<Output> values;
        for (const std::size_t number : step_.cell.inputs) values.push_back(step_.inputs[number]);
        values.push_back(step_.now[step_.cell.hidden_state]);
        if (is_lstm()) values.push_back(step_.now[step_.cell.cell_state]);
        return values;
    }

    // The same for certain, or as the run has them.
    static Rows rows_of(const std::vector<Output>& values) {
        Rows result = Rows::same;
        for (const Output& value : values) {
            if (!row_axis(value.shape())) return Rows::different;
            const auto own = extent_of(value), first = extent_of(values.front());
            if (own.first.is_static() && own.first == first.first) continue;
            if (own.second == first.second) continue;
            const bool are_known = own.first.is_static() && first.first.is_static();
            const bool has_one = own.first == Dimension(1) || first.first == Dimension(1);
            if (are_known && !has_one) return Rows::different;
            result = Rows::open;
        }
        return result;
    }

    static std::pair<Dimension, ExtentOrigin> extent_of(const Output& value) {
        const std::size_t axis = *row_axis(value.shape());
        return {value.shape()[axis], origin_of_extent(value, axis)};
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
    // that a Concat had side by side have the same, which the cell checks.
    std::vector<Output> broadcast(std::vector<Output> values) {
        if (step_.joins_rows) {
            if (is_lstm()) values.back() = with_rows_of(values.back(), values.front());
            return values;
        }
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[0] = with_rows_of(values[0], values[i]);
        }
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[i] = with_rows_of(values[i], values[0]);
        }
        return values;
    }

    Output with_rows_of(const Output& value, const Output& other) {
        const auto shape = rewriter_.make<ops::ShapeOf>(name() + "/shape", other);
        const Output rows = rewriter_.make<ops::Gather>(name() + "/N", shape,
                                                        rewriter_.make_ints(name() + "/zero", {0}),
                                                        rewriter_.make_ints(name() + "/axis", {0}));
        const Output target = rewriter_.make<ops::Concat>(
            name() + "/target",
            std::vector<Output>{rows, rewriter_.make_ints(name() + "/one", {1})}, 0);
        return rewriter_.make<ops::Broadcast>(name() + "/rows", value, target,
                                              ops::BroadcastMode::bidirectional);
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
        replace(step_.next[step_.cell.hidden_state], {cell, 0});
        if (is_lstm()) replace(step_.next[step_.cell.cell_state], {cell, 1});
    }

    void replace(const Output& value, const Output& state) {
        const PartialShape& shape = value.shape();
        if (shape.rank() == 2) return rewriter_.replace(value, state);
        std::vector<std::int64_t> pattern(shape.rank(), 1);
        pattern[*row_axis(shape)] = -1;
        pattern.back() = step_.cell.attributes.hidden_size;
        rewriter_.replace(value, rewriter_.make<ops::Reshape>(
                                     name() + "/state", state,
                                     rewriter_.make_ints(name() + "/pattern", pattern), false));
    }

    Rewriter& rewriter_;
    const WrittenStep& step_;
};

}  // namespace

bool cell_fusion(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<Node>([&](const NodePtr& node) {
        const bool may_be_hidden = as_op<ops::Binary>(*node) != nullptr ||
                                   as_op<ops::Unary>(*node) != nullptr ||
                                   as_op<ops::Select>(*node) != nullptr;
        const auto step = may_be_hidden ? read_written_step(node->output(0)) : std::nullopt;
        if (step) CellMaker(rewriter, *step).make();
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
