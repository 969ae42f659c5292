#include "transformations/recurrent/passes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/extents/extent_origin.hpp"
#include "core/extents/integers.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/indexing/indexing_ops.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/ops/reduction/reduction_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "transformations/analysis/splats.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

constexpr std::size_t kMaxNodes = 256;
constexpr std::size_t kWhole = IndependentAxis::kWhole;

// Follows indices up through Converts to types that hold them.
Output behind_converts(Output value) {
    const auto holds_them = [](const Output& output) {
        return output.element_type() == ElementType::i64 ||
               output.element_type() == ElementType::i32;
    };
    while (as_op<ops::Convert>(value.node()) != nullptr && holds_them(value)) {
        value = value.node().input(0);
    }
    return value;
}

bool is_number_of_rows(const std::optional<ShapeElement>& element, const Output& lengths) {
    return element && is_extent(*element, lengths, 0);
}

// A TopK that puts all rows in another order.
bool sorts_all(const ops::TopK& node) {
    const Output& lengths = node.input(0);
    return lengths.shape().has_rank() && lengths.shape().rank() == 1 &&
           is_number_of_rows(shape_element(node.input(1), 0), lengths);
}

// 0, 1 and so on, one for each row.
bool numbers_all(const Output& value, const Output& lengths) {
    const Output numbers = behind_converts(value);
    const auto* range = as_op<ops::Range>(numbers.node());
    return range != nullptr && constant_scalar(range->input(0)) == 0.0 &&
           constant_scalar(range->input(2)) == 1.0 &&
           is_number_of_rows(shape_element(range->input(1), 0), lengths);
}

// The TopK of which a ScatterElementsUpdate makes the inverse; null for others.
const ops::TopK* inverted_by(const Node& node) {
    const auto* scatter = as_op<ops::ScatterElementsUpdate>(node);
    if (scatter == nullptr || scatter->reduction() != ops::ScatterReduction::none) return nullptr;
    const Output indices = behind_converts(node.input(1));
    const auto* sort = as_op<ops::TopK>(indices.node());
    if (sort == nullptr || indices.index() != 1 || !sorts_all(*sort)) return nullptr;
    const Output& lengths = sort->input(0);
    const PartialShape& shape = node.input(0).shape();
    const bool fits =
        shape.has_rank() && shape.rank() == 1 && same_extent(node.input(0), 0, lengths, 0);
    return fits && numbers_all(node.input(2), lengths) ? sort : nullptr;
}

// The axis along which a Gather takes rows by these indices; nothing for others.
std::optional<std::size_t> axis_of_gather(const Node& node, const Output& indices) {
    const auto axis = gathered_axis(node);
    return axis && behind_converts(node.input(1)) == indices ? axis : std::nullopt;
}

// For each input the axis that its rows have, or kWhole. Returns nothing if the node mixes rows.
std::optional<std::vector<std::size_t>> row_axes(const Output& value, std::size_t axis) {
    const Node& node = value.node();
    if (const auto* reshape = as_op<ops::Reshape>(node)) {
        const auto counts = reshape->merged_axis_counts();
        if (!counts || (*counts)[axis] != 1) return {};
        const auto end = counts->begin() + static_cast<std::ptrdiff_t>(axis);
        return std::vector<std::size_t>{std::accumulate(counts->begin(), end, std::size_t{0}),
                                        kWhole};
    }
    const auto rows = node.has_ranks() ? node.independent_axis(value.index(), axis) : std::nullopt;
    if (!rows) return {};
    std::vector<std::size_t> axes(rows->inputs.begin(), rows->inputs.end());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const bool is_one = axes[i] != kWhole && node.input(i).shape()[axes[i]] == Dimension(1);
        if (is_one) axes[i] = kWhole;
    }
    return axes;
}

// The nodes between the sorting and the Gathers that sort back.
class Unsorter {
public:
    Unsorter(Rewriter& rewriter, const ops::TopK& sort)
        : rewriter_(rewriter), lengths_(sort.input(0)), sort_(sort) {}

    /// Whether the rows of this value are in the sorted order, and can be had as they come.
    /// `is_checked`: the value goes to a layer, which has an error where its rows are not those of
    /// the lengths.
    bool can_unsort(const Output& value, std::size_t axis, bool is_checked = false) {
        if (const Output known = source(value, axis)) {
            // The sorting leaves no row out.
            return is_checked || known == value || same_extent(known, axis, lengths_, 0);
        }
        const auto axes = row_axes(value, axis);
        if (!axes || nodes_.size() == kMaxNodes) return false;
        if (std::all_of(axes->begin(), axes->end(), [](auto at) { return at == kWhole; })) {
            return false;
        }
        const auto [place, is_new] = nodes_.emplace(&value.node(), *axes);
        if (!is_new) return place->second == *axes;
        const bool checks = is_checked || is_layer_with_lengths(value.node());
        for (std::size_t i = 0; i < axes->size(); ++i) {
            if ((*axes)[i] != kWhole && !can_unsort(value.node().input(i), (*axes)[i], checks)) {
                return false;
            }
        }
        return true;
    }

    /// Nothing but each other and these readers needs the nodes.
    bool are_sole_readers(const std::vector<NodePtr>& readers) const {
        for (const auto& [node, axes] : nodes_) {
            for (std::size_t i = 0; i < node->output_count(); ++i) {
                for (const Consumer& reader : node->consumers(i)) {
                    const bool is_one =
                        std::any_of(readers.begin(), readers.end(),
                                    [&](const NodePtr& one) { return one.get() == reader.node; });
                    if (!is_one && !nodes_.contains(reader.node)) return false;
                }
            }
        }
        return true;
    }

    Output unsorted(const Output& value, std::size_t axis) {
        if (const Output known = source(value, axis)) return known;
        auto& made = made_[&value.node()];
        if (made == nullptr) {
            const std::vector<std::size_t>& axes = nodes_.at(&value.node());
            std::vector<Output> inputs = value.node().inputs();
            for (std::size_t i = 0; i < axes.size(); ++i) {
                if (axes[i] != kWhole) inputs[i] = unsorted(inputs[i], axes[i]);
            }
            made = rewriter_.clone(value.node(), std::move(inputs));
        }
        return {made, value.index()};
    }

    /// The nodes leave their names to those made instead, once nothing reads them.
    void hand_over_names() {
        for (const auto& [node, made] : made_) {
            rewriter_.inherit_name(const_cast<Node*>(node)->shared_from_this(), *made);
        }
    }

private:
    // What the sorting has made this value of, or a value whose rows are all equal.
    Output source(const Output& value, std::size_t axis) const {
        if (&value.node() == &sort_) return value.index() == 0 ? lengths_ : Output();
        const Output indices(std::const_pointer_cast<Node>(sort_.shared_from_this()), 1);
        if (const auto gathered = axis_of_gather(value.node(), indices)) {
            return *gathered == axis ? value.node().input(0) : Output();
        }
        const auto splat = splat_of(value);
        return splat && is_number_of_rows(splat->extents[axis], lengths_) ? value : Output();
    }

    // A sequence whose lengths are the sorted ones.
    bool is_layer_with_lengths(const Node& node) const {
        const auto* layer = dynamic_cast<const ops::RecurrentOp*>(&node);
        if (layer == nullptr || !layer->is_sequence()) return false;
        const Output lengths = behind_converts(layer->input(layer->lengths_port()));
        return &lengths.node() == &sort_ && lengths.index() == 0;
    }

    Rewriter& rewriter_;
    Output lengths_;
    const ops::TopK& sort_;
    std::map<const Node*, std::vector<std::size_t>> nodes_;
    std::map<const Node*, NodePtr> made_;
};

bool unsort(const Output& inverse, const ops::TopK& sort, Rewriter& rewriter) {
    Unsorter unsorter(rewriter, sort);
    std::vector<NodePtr> readers;
    for (const Consumer& reader : inverse.consumers()) {
        const auto axis = axis_of_gather(*reader.node, inverse);
        if (!axis || reader.input != 1) continue;
        if (!unsorter.can_unsort(reader.node->input(0), *axis)) return false;
        readers.push_back(reader.node->shared_from_this());
    }
    if (readers.empty() || !unsorter.are_sole_readers(readers)) return false;
    for (const NodePtr& reader : readers) {
        const auto axis = axis_of_gather(*reader, inverse);
        const Output made = unsorter.unsorted(reader->input(0), *axis);
        if (rewriter.can_replace(reader->output(0), made)) {
            rewriter.replace(reader->output(0), made);
        }
    }
    unsorter.hand_over_names();
    return true;
}

}  // namespace

bool remove_length_sort(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::ScatterElementsUpdate>([&](const auto& scatter) {
        if (const auto* sort = inverted_by(*scatter)) unsort(scatter->output(0), *sort, rewriter);
    });
    return rewriter.changed();
}

}  // namespace rondo::passes
