#include "transformations/batching/batch_edit.hpp"

#include <optional>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/pass/formula.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

class Editor {
public:
    Editor(Rewriter& rewriter, const NodePtr& node, const BatchEdit& edit)
        : by_(rewriter, node->name()), node_(node), edit_(edit) {}

    void run() {
        if (edit_.kind == BatchEdit::Kind::repeat) {
            repeat();
        } else if (as_op<ops::Broadcast>(*node_) != nullptr) {
            node_->set_input(1, with_count(node_->input(1)));
        } else {
            reshape();
        }
    }

private:
    // How many streams there are, as a vector of one.
    Output streams() {
        const auto place = static_cast<std::int64_t>(edit_.rows_axis);
        const Output rows =
            by_.gather(by_.shape_of(node_->input(edit_.rows_input)), by_.ints({place}), 0);
        return edit_.extent == 1 ? rows : by_.divide(rows, by_.ints({edit_.extent}));
    }

    Output times_streams(std::int64_t extent) {
        return extent == 1 ? streams() : by_.multiply(streams(), by_.ints({extent}));
    }

    // Ones, except the axis.
    Output ones_and(std::size_t rank, const Output& at_axis) {
        std::vector<Output> parts;
        for (std::size_t i = 0; i < rank; ++i) {
            parts.push_back(i == edit_.axis ? at_axis : by_.ints({1}));
        }
        return by_.concat(parts, 0);
    }

    void repeat() {
        const Output value = node_->input(edit_.input);
        const std::size_t rank = value.shape().rank();
        const Output repeats = ones_and(rank, streams());
        const bool is_one_row = value.shape()[edit_.axis] == Dimension(1);
        node_->set_input(
            edit_.input,
            is_one_row ? by_.make<ops::Broadcast>(value, repeats, ops::BroadcastMode::bidirectional)
                       : by_.make<ops::Tile>(value, repeats));
    }

    Output element(const Output& pattern, std::size_t index) {
        const auto place = static_cast<std::int64_t>(index);
        return by_.convert(by_.gather(pattern, by_.ints({place}), 0), ElementType::i64);
    }

    // The vector, whose element at the axis is the number of one stream.
    Output with_count(const Output& pattern) {
        const auto length = static_cast<std::size_t>(pattern.shape()[0].length());
        const auto known = constant_ints(pattern);
        const std::size_t first = node_->output_shape(0).rank() - length;  // of a Broadcast
        std::vector<Output> parts;
        for (std::size_t i = 0; i < length; ++i) {
            if (i + first == edit_.axis) {
                parts.push_back(times_streams(known ? (*known)[i] : edit_.extent));
            } else if (known) {
                parts.push_back(by_.ints({(*known)[i]}));
            } else {
                parts.push_back(element(pattern, i));
            }
        }
        return by_.concat(parts, 0);
    }

    // A -1 in place of the rows' extent where nothing else is open.
    void reshape() {
        const auto* op = as_op<ops::Reshape>(*node_);
        const auto known = known_extents();
        const Output pattern = known ? by_.ints(*known) : with_count(node_->input(1));
        if (op != nullptr) {
            node_->set_input(1, pattern);
            return;
        }
        by_.rewriter().replace(Output(node_, 0),
                               by_.make<ops::Reshape>(node_->input(0), pattern, false));
    }

    // One stream's, which are above 0, with a -1 for the rows.
    std::optional<Ints> known_extents() const {
        Ints extents;
        const PartialShape& shape = node_->output_shape(0);
        for (const Dimension& extent : shape.dimensions()) {
            if (!extent.is_static() || extent == Dimension(0)) return {};
            extents.push_back(extent.length());
        }
        extents[edit_.axis] = -1;
        return extents;
    }

    Formula by_;
    const NodePtr& node_;
    const BatchEdit& edit_;
};

}  // namespace

void apply_edits(const std::vector<BatchEdit>& edits, Graph& graph) {
    for_each_graph(graph, [&](Graph& part) {
        Rewriter rewriter(part);
        for (const auto& node : part.ordered_nodes()) {
            for (const BatchEdit& edit : edits) {
                if (edit.node != node.get() || edit.kind == BatchEdit::Kind::start) continue;
                Editor(rewriter, node, edit).run();
            }
        }
    });
}

}  // namespace rondo::passes
