#include "transformations/parts/join_single_parts.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/ops/movement/concat.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reshape.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/transpose.hpp"
#include "transformations/common/axis_order.hpp"
#include "transformations/common/views.hpp"
#include "transformations/parts/axis_part.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

// Element `index` along an axis of a tensor, which the value doesn't have.
struct SinglePart {
    Output source;
    std::size_t axis = 0;
    std::int64_t index = 0;
};

using Found = std::optional<SinglePart>;

Found gathered(const ops::Gather& node) {
    const Output& source = node.input(0);
    const auto index = constant_ints(node.input(1));
    const auto ints = constant_ints(node.input(2));
    if (!index || node.input(1).shape().rank() != 0 || !ints || ints->size() != 1 ||
        !source.shape().has_rank() || node.batch_dims() != 0) {
        return {};
    }
    const auto axis = normalized_axes(*ints, source.shape().rank());
    if (!axis || !source.shape()[axis->front()].is_static()) return {};
    const auto extent = static_cast<std::size_t>(source.shape()[axis->front()].length());
    const auto place = normalized_axes(*index, extent);
    if (!place) return {};
    return SinglePart{source, axis->front(), static_cast<std::int64_t>(place->front())};
}

// A view that only drops the axis along which one element was cut.
Found squeezed(const Node& view) {
    const auto part = axis_part(view.input(0));
    if (!part || !always_fits(view) || !part->source.shape()[part->axis].is_static()) return {};
    const std::int64_t extent = part->source.shape()[part->axis].length();
    const std::int64_t stop = part->stop == AxisPart::kEnd ? extent : part->stop;
    if (stop - part->start != 1) return {};
    const SinglePart single{part->source, part->axis, part->start};
    if (as_op<ops::Squeeze>(view) != nullptr) {
        return view_axes(view) == std::vector<std::size_t>{part->axis} ? Found(single) : Found();
    }
    const auto& cut = part->source.shape().dimensions();
    std::vector<Dimension> dropped(cut.begin(), cut.end());
    dropped.erase(dropped.begin() + static_cast<std::ptrdiff_t>(part->axis));
    return same_extents(PartialShape(dropped), view.output_shape(0)) ? Found(single) : Found();
}

Found single_part(const Output& value) {
    const Node& node = value.node();
    if (const auto* gather = as_op<ops::Gather>(node)) return gathered(*gather);
    return node.traits().view ? squeezed(node) : Found();
}

// The tensor of which the inputs are all the elements along an axis, in order.
Found joined_tensor(const ops::Concat& concat) {
    const Found first = single_part(concat.input(0));
    if (!first || first->index != 0) return {};
    const auto count = static_cast<std::int64_t>(concat.input_count());
    if (count < 2 || first->source.shape()[first->axis] != Dimension(count)) return {};
    for (std::int64_t i = 1; i < count; ++i) {
        const Found next = single_part(concat.input(static_cast<std::size_t>(i)));
        if (!next || !(next->source == first->source) || next->axis != first->axis ||
            next->index != i) {
            return {};
        }
    }
    return first;
}

// Open extents in front of the merged axis are copied; one more may be what is left.
std::optional<std::vector<std::int64_t>> pattern_behind(const PartialShape& shape,
                                                        std::size_t merged) {
    std::vector<std::int64_t> pattern;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        const bool is_open = !shape[i].is_static();
        if (!is_open && shape[i].length() == 0) return {};
        pattern.push_back(!is_open ? shape[i].length() : i < merged ? 0 : -1);
    }
    if (std::count(pattern.begin(), pattern.end(), -1) > 1) return {};
    return pattern;
}

void join(ops::Concat& concat, Rewriter& rewriter) {
    const Found tensor = joined_tensor(concat);
    const PartialShape& shape = concat.output_shape(0);
    const auto axis =
        tensor && shape.has_rank() ? normalized_axes({concat.axis()}, shape.rank()) : std::nullopt;
    const auto pattern = axis ? pattern_behind(shape, axis->front()) : std::nullopt;
    if (!pattern) return;
    AxisOrder order(tensor->source.shape().rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(tensor->axis));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(axis->front()), tensor->axis);
    const std::string& name = concat.name();
    Output moved = tensor->source;
    if (!is_identity(order)) {
        moved = rewriter.make<ops::Transpose>(name + "/moved", moved,
                                              rewriter.make_ints(name + "/order", to_ints(order)));
    }
    rewriter.replace(concat.output(0),
                     rewriter.make<ops::Reshape>(
                         name, moved, rewriter.make_ints(name + "/pattern", *pattern), true));
}

}  // namespace

bool join_single_parts(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::Concat>([&](const auto& node) { join(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
