#include "transformations/parts/axis_part.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/ops/movement/gather.hpp"
#include "core/ops/movement/slice.hpp"
#include "core/ops/movement/split.hpp"
#include "core/ops/movement/strided_slice.hpp"
#include "core/ops/movement/variadic_split.hpp"
#include "transformations/pass/constants.hpp"

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

}  // namespace rondo::passes
