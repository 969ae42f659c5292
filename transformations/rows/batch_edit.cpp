#include "transformations/rows/batch_edit.hpp"

#include <optional>
#include <string>

#include "core/ops/elementwise/convert.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/tile.hpp"
#include "core/ops/source/shape_of.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using Ints = std::vector<std::int64_t>;

class Editor {
public:
    Editor(Rewriter& rewriter, const NodePtr& node, const BatchEdit& edit)
        : rewriter_(rewriter), node_(node), edit_(edit) {}

    void run() const {
        if (edit_.kind == BatchEdit::Kind::repeat) {
            repeat();
        } else if (as_op<ops::Broadcast>(*node_) != nullptr) {
            node_->set_input(1, with_count(node_->input(1)));
        } else {
            reshape();
        }
    }

private:
    std::string name(const char* role) const { return node_->name() + "/" + role; }

    // How many streams there are, as a vector of one.
    Output streams() const {
        const Output shape =
            rewriter_.make<ops::ShapeOf>(name("shape_of_rows"), node_->input(edit_.rows_input));
        const Output place =
            rewriter_.make_ints(name("row_axis"), {static_cast<std::int64_t>(edit_.rows_axis)});
        const Output axis = rewriter_.make_scalar(name("axis"), std::int64_t{0});
        const Output rows = rewriter_.make<ops::Gather>(name("rows"), shape, place, axis);
        if (edit_.extent == 1) return rows;
        return rewriter_.make<ops::Binary>(
            name("streams"), ops::BinaryFunction::divide, rows,
            rewriter_.make_ints(name("rows_a_stream"), {edit_.extent}));
    }

    Output times_streams(std::int64_t extent) const {
        if (extent == 1) return streams();
        return rewriter_.make<ops::Binary>(name("extent"), ops::BinaryFunction::multiply, streams(),
                                           rewriter_.make_ints(name("extent_a_stream"), {extent}));
    }

    // Ones, except the axis.
    Output ones_and(std::size_t rank, const Output& at_axis) const {
        std::vector<Output> parts;
        for (std::size_t i = 0; i < rank; ++i) {
            parts.push_back(i == edit_.axis ? at_axis : rewriter_.make_ints(name("one"), {1}));
        }
        return rewriter_.make<ops::Concat>(name("repeats"), std::move(parts), 0);
    }

    void repeat() const {
        const Output value = node_->input(edit_.input);
        const std::size_t rank = value.shape().rank();
        const Output repeats = ones_and(rank, streams());
        const bool is_one_row = value.shape()[edit_.axis] == Dimension(1);
        node_->set_input(
            edit_.input,
            is_one_row
                ? Output(rewriter_.make<ops::Broadcast>(name("for_each_stream"), value, repeats,
                                                        ops::BroadcastMode::bidirectional))
                : Output(rewriter_.make<ops::Tile>(name("for_each_stream"), value, repeats)));
    }

    Output element(const Output& pattern, std::size_t index) const {
        const auto place = static_cast<std::int64_t>(index);
        const Output axis = rewriter_.make_scalar(name("axis"), std::int64_t{0});
        const Output taken = rewriter_.make<ops::Gather>(
            name("element"), pattern, rewriter_.make_ints(name("place"), {place}), axis);
        if (pattern.element_type() == ElementType::i64) return taken;
        return rewriter_.make<ops::Convert>(name("element_i64"), taken, ElementType::i64);
    }

    // The vector, whose element at the axis is the number of one stream.
    Output with_count(const Output& pattern) const {
        const auto length = static_cast<std::size_t>(pattern.shape()[0].length());
        const auto known = constant_ints(pattern);
        const std::size_t first = node_->output_shape(0).rank() - length;  // of a Broadcast
        std::vector<Output> parts;
        for (std::size_t i = 0; i < length; ++i) {
            if (i + first == edit_.axis) {
                parts.push_back(times_streams(known ? (*known)[i] : edit_.extent));
            } else if (known) {
                parts.push_back(rewriter_.make_ints(name("extent"), {(*known)[i]}));
            } else {
                parts.push_back(element(pattern, i));
            }
        }
        return rewriter_.make<ops::Concat>(name("pattern"), std::move(parts), 0);
    }

    // A -1 in place of the rows' extent where nothing else is open.
    void reshape() const {
        const auto* op = as_op<ops::Reshape>(*node_);
        const auto known = known_extents();
        const Output pattern =
            known ? rewriter_.make_ints(name("pattern"), *known) : with_count(node_->input(1));
        if (op != nullptr) {
            node_->set_input(1, pattern);
            return;
        }
        rewriter_.replace(Output(node_, 0), rewriter_.make<ops::Reshape>(
                                                node_->name(), node_->input(0), pattern, false));
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

    Rewriter& rewriter_;
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
