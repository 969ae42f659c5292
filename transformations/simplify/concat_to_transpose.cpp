#include "transformations/simplify/passes.hpp"

#include <algorithm>
#include <vector>

#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/named_axes.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/views.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {
namespace {

using Found = std::optional<SinglePart>;

// The tensor of which the inputs are all the elements along an axis, in order.
Found joined_tensor(const ops::Concat& concat, std::optional<std::size_t> kept_at) {
    const Found first = single_part(concat.input(0), kept_at);
    if (!first || first->index != 0) return {};
    const auto count = static_cast<std::int64_t>(concat.input_count());
    if (count < 2 || first->source.shape()[first->axis] != Dimension(count)) return {};
    for (std::int64_t i = 1; i < count; ++i) {
        const Found next = single_part(concat.input(static_cast<std::size_t>(i)), kept_at);
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

// Parts that have no such axis any more: it is merged with the joined one.
bool join_merged(ops::Concat& concat, std::size_t axis, Rewriter& rewriter) {
    const Found tensor = joined_tensor(concat, std::nullopt);
    const auto pattern = tensor ? pattern_behind(concat.output_shape(0), axis) : std::nullopt;
    if (!pattern) return false;
    const std::string& name = concat.name();
    const Output moved =
        make_axis_move(rewriter, tensor->source, tensor->axis, axis, name + "/moved");
    const Output ints = rewriter.make_ints(name + "/pattern", *pattern);
    rewriter.replace(concat.output(0), rewriter.make<ops::Reshape>(name, moved, ints, true));
    return true;
}

// Parts of extent 1 along the joined axis.
void join_moved(ops::Concat& concat, std::size_t axis, Rewriter& rewriter) {
    const Found tensor = joined_tensor(concat, axis);
    if (!tensor) return;
    const Output moved =
        make_axis_move(rewriter, tensor->source, tensor->axis, axis, concat.name());
    if (rewriter.can_replace(concat.output(0), moved)) rewriter.replace(concat.output(0), moved);
}

void join(ops::Concat& concat, Rewriter& rewriter) {
    const auto axis = named_axis(concat);
    if (!axis || join_merged(concat, *axis, rewriter)) return;
    join_moved(concat, *axis, rewriter);
}

}  // namespace

bool concat_to_transpose(Graph& graph) {
    Rewriter rewriter(graph);
    rewriter.for_each<ops::Concat>([&](const auto& node) { join(*node, rewriter); });
    return rewriter.changed();
}

}  // namespace rondo::passes
