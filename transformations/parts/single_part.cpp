#include "transformations/parts/single_part.hpp"

#include <utility>
#include <vector>

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"

namespace rondo::passes {
namespace {

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

// Whether a value of that shape has the extents of the element, and 1 at `kept_at`.
bool has_shape_of(const SinglePart& part, std::optional<std::size_t> kept_at,
                  const PartialShape& shape) {
    std::vector<Dimension> extents = part.source.shape().dimensions();
    extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(part.axis));
    if (kept_at && *kept_at > extents.size()) return false;
    if (kept_at) extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(*kept_at), 1);
    return same_extents(PartialShape(std::move(extents)), shape);
}

// What a view of one element along an axis does to that axis: drops it, or moves it elsewhere.
Found squeezed(const Node& view, std::optional<std::size_t> kept_at) {
    const auto part = axis_part(view.input(0));
    const Found single = part && always_fits(view) ? element_of(*part) : Found();
    if (!single) return {};
    if (as_op<ops::Squeeze>(view) != nullptr) {
        const bool is_dropped = view_axes(view) == std::vector<std::size_t>{single->axis};
        return is_dropped && !kept_at ? single : Found();
    }
    return has_shape_of(*single, kept_at, view.output_shape(0)) ? single : Found();
}

// A view that puts an axis in the place of the one that a Gather dropped.
Found unsqueezed(const Node& view, std::size_t kept_at) {
    const auto* gather = as_op<ops::Gather>(view.input(0).node());
    const auto part = gather != nullptr && always_fits(view) ? gathered(*gather) : Found();
    return part && has_shape_of(*part, kept_at, view.output_shape(0)) ? part : Found();
}

}  // namespace

Found element_of(const AxisPart& part) {
    const Dimension& extent = part.source.shape()[part.axis];
    if (!extent.is_static()) return {};
    const std::int64_t stop = part.stop == AxisPart::kEnd ? extent.length() : part.stop;
    return stop - part.start == 1 ? Found({part.source, part.axis, part.start}) : Found();
}

Found single_part(const Output& value, std::optional<std::size_t> kept_at) {
    const Node& node = value.node();
    if (const auto* gather = as_op<ops::Gather>(node); gather != nullptr && !kept_at) {
        return gathered(*gather);
    }
    if (!node.traits().view) return {};
    if (auto part = kept_at ? unsqueezed(node, *kept_at) : Found()) return part;
    return squeezed(node, kept_at);
}

}  // namespace rondo::passes
