#include "transformations/parts/axis_part.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/ops/movement/broadcast.hpp"
#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/reverse_sequence.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/squeeze.hpp"
#include "core/ops/movement/strided_slice.hpp"
#include "transformations/common/views.hpp"
#include "transformations/pass/constants.hpp"
#include "transformations/shapes/extents.hpp"

namespace rondo::passes {
namespace {

using MaybePart = std::optional<AxisPart>;

// Exporters write the greatest 32-bit integer for the end of an axis.
constexpr std::int64_t kFarEnd = std::numeric_limits<std::int32_t>::max();

// A part inside of a known extent.
MaybePart known_part(const Output& source, std::size_t axis, std::int64_t start,
                     std::int64_t length) {
    const std::int64_t extent = source.shape()[axis].length();
    const std::int64_t stop = start + length;
    return AxisPart{source, axis, start, stop == extent ? AxisPart::kEnd : stop};
}

MaybePart requested(const Output& source, std::size_t axis, const ops::SliceRequest& request) {
    if (!request.start || !request.stop || request.step != 1) return {};
    const Dimension& extent = source.shape()[axis];
    if (extent.is_static()) {
        const auto range = ops::resolve(request, extent.length());
        return known_part(source, axis, range.start, range.length);
    }
    const bool is_end = *request.stop >= kFarEnd;
    return AxisPart{source, axis, *request.start, is_end ? AxisPart::kEnd : *request.stop};
}

// The only axis of which not all is asked.
MaybePart cut(const Output& source, const std::vector<ops::SliceRequest>& requests) {
    if (requests.size() > source.shape().rank()) return {};
    MaybePart part;
    for (std::size_t axis = 0; axis < requests.size(); ++axis) {
        const auto own = requested(source, axis, requests[axis]);
        if (own && own->is_whole()) continue;
        if (!own || part) return {};
        part = own;
    }
    return part;
}

MaybePart part_of(const ops::Slice& node) {
    const auto requests = ops::slice_requests(context_of(node));
    return requests ? cut(node.input(0), *requests) : MaybePart();
}

MaybePart part_of(const ops::StridedSlice& node) {
    const auto parts = ops::strided_slice_parts(context_of(node), node.masks());
    if (!parts) return {};
    std::vector<ops::SliceRequest> requests;
    for (const auto& part : *parts) {
        if (part.kind != ops::StridedSlicePart::Kind::cut) return {};
        requests.push_back(part.request);
    }
    return cut(node.input(0), requests);
}

// A vector of indices that follow each other.
MaybePart part_of(const ops::Gather& node) {
    const Output& source = node.input(0);
    const auto ints = constant_ints(node.input(2));
    const auto indices = constant_ints(node.input(1));
    if (!indices || indices->empty() || node.input(1).shape().rank() != 1 || !ints ||
        ints->size() != 1 || node.batch_dims() != 0) {
        return {};
    }
    const auto axis = normalized_axes(*ints, source.shape().rank());
    if (!axis || !source.shape()[axis->front()].is_static()) return {};
    const auto extent = static_cast<std::size_t>(source.shape()[axis->front()].length());
    const auto places = normalized_axes(*indices, extent);
    if (!places) return {};
    for (std::size_t i = 0; i < places->size(); ++i) {
        if ((*places)[i] != places->front() + i) return {};
    }
    return known_part(source, axis->front(), static_cast<std::int64_t>(places->front()),
                      static_cast<std::int64_t>(places->size()));
}

// Output `index` of a Split or VariadicSplit of a known extent.
MaybePart part_of_split(const Node& node, std::size_t index) {
    const Output& source = node.input(0);
    const auto ints = constant_ints(node.input(1));
    const auto axis =
        ints && ints->size() == 1 ? normalized_axes(*ints, source.shape().rank()) : std::nullopt;
    if (!axis || !source.shape()[axis->front()].is_static()) return {};
    std::int64_t start = 0;
    for (std::size_t i = 0; i <= index; ++i) {
        const Dimension& extent = node.output_shape(i)[axis->front()];
        if (!extent.is_static()) return {};
        if (i == index) return known_part(source, axis->front(), start, extent.length());
        start += extent.length();
    }
    return {};
}

}  // namespace

std::optional<AxisPart> axis_part(const Output& value) {
    const Node& node = value.node();
    if (node.input_count() == 0 || !node.input(0).shape().has_rank() || !value.shape().has_rank()) {
        return {};
    }
    if (const auto* op = as_op<ops::Slice>(node)) return part_of(*op);
    if (const auto* op = as_op<ops::StridedSlice>(node)) return part_of(*op);
    if (const auto* op = as_op<ops::Gather>(node)) return part_of(*op);
    const bool splits =
        as_op<ops::Split>(node) != nullptr || as_op<ops::VariadicSplit>(node) != nullptr;
    return splits ? part_of_split(node, value.index()) : MaybePart();
}

std::optional<AxisPart> joined_parts(const AxisPart& first, const AxisPart& second) {
    const bool same_axis = first.source == second.source && first.axis == second.axis;
    if (!same_axis || first.stop != second.start) return {};
    // Before and behind an element that is counted from the end lies all, but not in between.
    const bool in_order = first.start >= 0 && first.start <= first.stop && second.start >= 0 &&
                          second.start <= second.stop;
    const bool is_all = first.start == 0 && second.stop == AxisPart::kEnd;
    if (!in_order && !is_all) return {};
    return AxisPart{first.source, first.axis, first.start, second.stop};
}

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

namespace {

// Exporters write the least 32-bit integer, or the one after it, for what lies before the first
// element.
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min() + 1;

bool turns_round(const ops::SliceRequest& request, const Dimension& extent) {
    if (!request.start || !request.stop || request.step != -1) return false;
    if (!extent.is_static()) return *request.start == -1 && *request.stop <= kBeforeAll;
    const auto range = ops::resolve(request, extent.length());
    return range.length == extent.length() && range.length > 1;
}

std::optional<std::size_t> reversed_by(const ops::Slice& slice) {
    const PartialShape& shape = slice.input(0).shape();
    const auto requests = ops::slice_requests(context_of(slice));
    if (!requests || requests->size() > shape.rank()) return {};
    std::optional<std::size_t> found;
    for (std::size_t axis = 0; axis < requests->size(); ++axis) {
        if (ops::takes_all((*requests)[axis])) continue;
        if (found || !turns_round((*requests)[axis], shape[axis])) return {};
        found = axis;
    }
    return found;
}

bool all_are(const std::vector<std::int64_t>& lengths, const Dimension& extent) {
    return extent.is_static() &&
           std::all_of(lengths.begin(), lengths.end(),
                       [&](std::int64_t length) { return length == extent.length(); });
}

// Each row must be turned round as a whole.
std::optional<std::size_t> reversed_by(const ops::ReverseSequence& node) {
    const Output& data = node.input(0);
    const auto axis = normalized_axes({node.seq_axis()}, data.shape().rank());
    if (!axis) return {};
    if (const auto known = constant_ints(node.input(1))) {
        if (!all_are(*known, data.shape()[axis->front()])) return {};
        return axis->front();
    }
    Output length = node.input(1);
    while (length.node().traits().view || as_op<ops::Broadcast>(length.node()) != nullptr) {
        length = length.node().input(0);
    }
    if (!is_extent(length, data, axis->front())) return {};
    return axis->front();
}

// All indices, from the last one to the first.
std::optional<std::size_t> reversed_by(const ops::Gather& node) {
    const PartialShape& shape = node.input(0).shape();
    const auto indices = constant_ints(node.input(1));
    const auto number = constant_ints(node.input(2));
    const auto axis = number ? normalized_axes(*number, shape.rank()) : std::nullopt;
    if (node.batch_dims() != 0 || !indices || !axis || axis->size() != 1) return {};
    const Dimension& extent = shape[axis->front()];
    if (node.input(1).shape().rank() != 1 || !extent.is_static() || indices->size() < 2 ||
        extent != Dimension(static_cast<std::int64_t>(indices->size()))) {
        return {};
    }
    for (std::size_t i = 0; i < indices->size(); ++i) {
        const std::int64_t from_end = -1 - static_cast<std::int64_t>(i);
        const std::int64_t index = (*indices)[i];
        if (index != from_end && index != from_end + extent.length()) return {};
    }
    return axis->front();
}

}  // namespace

std::optional<std::size_t> reversed_axis(const Node& node) {
    if (node.input_count() == 0 || !node.input(0).shape().has_rank()) return {};
    if (const auto* slice = as_op<ops::Slice>(node)) return reversed_by(*slice);
    if (const auto* reversal = as_op<ops::ReverseSequence>(node)) return reversed_by(*reversal);
    if (const auto* gather = as_op<ops::Gather>(node)) return reversed_by(*gather);
    return {};
}

NodePtr make_reversal(Rewriter& rewriter, const Output& data, std::size_t axis,
                      const std::string& name) {
    const auto ints = [&](const char* role, std::int64_t value) {
        return rewriter.make_ints(name + role, {value});
    };
    return rewriter.make<ops::Slice>(name, data, ints("/start", -1), ints("/stop", kBeforeAll - 1),
                                     ints("/step", -1),
                                     ints("/axis", static_cast<std::int64_t>(axis)));
}

}  // namespace rondo::passes
