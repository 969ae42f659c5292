#include "transformations/analysis/slices.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/extents/extent_origin.hpp"
#include "core/graph/constants.hpp"
#include "core/ops/movement/movement_ops.hpp"
#include "transformations/analysis/views.hpp"

namespace rondo::passes {
namespace {

// Exporters write the greatest 32-bit integer for the end of an axis, and the least one for what is
// before the first element.
constexpr std::int64_t kFarEnd = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min();

// What a node takes of its data along one axis, which is all of it along the others.
struct Cut {
    AxisPart part;
    bool reversed = false;  // from the last element of the axis to the first
    bool dropped = false;   // one element, without the axis
};

using MaybeCut = std::optional<Cut>;

// A part inside of a known extent.
AxisPart known_part(const Output& source, std::size_t axis, std::int64_t start,
                    std::int64_t length) {
    const std::int64_t extent = source.shape()[axis].length();
    const std::int64_t stop = start + length;
    return {source, axis, start, stop == extent ? AxisPart::kEnd : stop};
}

bool reverses(const ops::SliceRequest& request, const Dimension& extent) {
    if (!extent.is_static()) return ops::reverses_all(request);
    if (!request.start || !request.stop || request.step != -1) return false;
    const auto range = ops::resolve(request, extent.length());
    return range.length == extent.length() && range.length > 1;
}

MaybeCut requested(const Output& source, std::size_t axis, const ops::SliceRequest& request) {
    const Dimension& extent = source.shape()[axis];
    if (reverses(request, extent)) return Cut{{source, axis}, true};
    if (!request.start || !request.stop || request.step != 1) return {};
    if (extent.is_static()) {
        const auto range = ops::resolve(request, extent.length());
        return Cut{known_part(source, axis, range.start, range.length)};
    }
    const bool is_end = *request.stop >= kFarEnd;
    return Cut{{source, axis, *request.start, is_end ? AxisPart::kEnd : *request.stop}};
}

// The only axis of which not all is asked in order.
MaybeCut only_cut(const Output& source, const std::vector<ops::SliceRequest>& requests) {
    if (requests.size() > source.shape().rank()) return {};
    MaybeCut cut;
    for (std::size_t axis = 0; axis < requests.size(); ++axis) {
        auto own = requested(source, axis, requests[axis]);
        if (own && !own->reversed && own->part.is_whole()) continue;
        if (!own || cut) return {};
        cut = std::move(own);
    }
    return cut;
}

MaybeCut cut_by(const ops::Slice& node) {
    const auto requests = ops::slice_requests(context_of(node));
    return requests ? only_cut(node.input(0), *requests) : MaybeCut();
}

MaybeCut cut_by(const ops::StridedSlice& node) {
    const auto parts = ops::strided_slice_parts(context_of(node), node.masks());
    if (!parts) return {};
    std::vector<ops::SliceRequest> requests;
    for (const auto& part : *parts) {
        if (part.kind != ops::StridedSlicePart::Kind::cut) return {};
        requests.push_back(part.request);
    }
    return only_cut(node.input(0), requests);
}

// The axis that an input names, if its extent is known.
std::optional<std::size_t> known_axis(const Node& node, std::size_t input) {
    const auto ints = constant_ints(node.input(input));
    const PartialShape& shape = node.input(0).shape();
    const auto axis =
        ints && ints->size() == 1 ? normalized_axes(*ints, shape.rank()) : std::nullopt;
    return axis && shape[axis->front()].is_static() ? std::optional(axis->front()) : std::nullopt;
}

// One index, or indices that follow each other; or all of them, from the last one.
MaybeCut cut_by(const ops::Gather& node) {
    const Output& source = node.input(0);
    const auto axis = known_axis(node, 2);
    const auto indices = constant_ints(node.input(1));
    if (!axis || !indices || indices->empty() || node.batch_dims() != 0) return {};
    const auto extent = static_cast<std::size_t>(source.shape()[*axis].length());
    const auto places = normalized_axes(*indices, extent);
    if (!places) return {};
    const auto follow = [&](std::size_t step) {
        for (std::size_t i = 0; i < places->size(); ++i) {
            if ((*places)[i] != places->front() + i * step) return false;
        }
        return true;
    };
    constexpr auto kBack = static_cast<std::size_t>(-1);
    const bool is_all = places->size() == extent && extent > 1;
    if (is_all && follow(kBack)) return Cut{{source, *axis}, true};
    if (!follow(1)) return {};
    const AxisPart part = known_part(source, *axis, static_cast<std::int64_t>(places->front()),
                                     static_cast<std::int64_t>(places->size()));
    return Cut{part, false, node.input(1).shape().rank() == 0};
}

// Output `index` of a Split or VariadicSplit of a known extent.
MaybeCut cut_by_split(const Node& node, std::size_t index) {
    const auto axis = known_axis(node, 1);
    std::int64_t start = 0;
    for (std::size_t i = 0; axis && i <= index; ++i) {
        const Dimension& extent = node.output_shape(i)[*axis];
        if (!extent.is_static()) return {};
        if (i == index) return Cut{known_part(node.input(0), *axis, start, extent.length())};
        start += extent.length();
    }
    return {};
}

bool all_are(const std::vector<std::int64_t>& lengths, const Dimension& extent) {
    return extent.is_static() &&
           std::all_of(lengths.begin(), lengths.end(),
                       [&](std::int64_t length) { return length == extent.length(); });
}

// Each row must be reversed as a whole.
MaybeCut cut_by(const ops::ReverseSequence& node) {
    const Output& data = node.input(0);
    const auto axis = normalized_axes({node.seq_axis()}, data.shape().rank());
    if (!axis) return {};
    const Cut whole{{data, axis->front()}, true};
    if (const auto known = constant_ints(node.input(1))) {
        return all_are(*known, data.shape()[axis->front()]) ? MaybeCut(whole) : MaybeCut();
    }
    Output length = node.input(1);
    while (length.node().traits().view || as_op<ops::Broadcast>(length.node()) != nullptr) {
        length = length.node().input(0);
    }
    return is_extent(length, data, axis->front()) ? MaybeCut(whole) : MaybeCut();
}

MaybeCut cut_of(const Node& node, std::size_t output = 0) {
    if (node.input_count() == 0 || !node.input(0).shape().has_rank()) return {};
    if (!node.output_shape(output).has_rank()) return {};
    if (node.traits().cuts) return cut_by_split(node, output);
    if (const auto* op = as_op<ops::Slice>(node)) return cut_by(*op);
    if (const auto* op = as_op<ops::StridedSlice>(node)) return cut_by(*op);
    if (const auto* op = as_op<ops::Gather>(node)) return cut_by(*op);
    if (const auto* op = as_op<ops::ReverseSequence>(node)) return cut_by(*op);
    return {};
}

}  // namespace

std::optional<AxisPart> axis_part(const Output& value) {
    const auto cut = cut_of(value.node(), value.index());
    return cut && !cut->reversed && !cut->dropped ? std::optional(cut->part) : std::nullopt;
}

std::optional<AxisPart> joined_parts(const AxisPart& first, const AxisPart& second) {
    const bool same_axis = first.source == second.source && first.axis == second.axis;
    if (!same_axis || first.stop != second.start) return {};
    // x[:k] and x[k:] are all of x even if k counts from the end; other such parts may be out of
    // order.
    const bool in_order = first.start >= 0 && first.start <= first.stop && second.start >= 0 &&
                          second.start <= second.stop;
    const bool is_all = first.start == 0 && second.stop == AxisPart::kEnd;
    if (!in_order && !is_all) return {};
    return AxisPart{first.source, first.axis, first.start, second.stop};
}

namespace {

using Found = std::optional<SinglePart>;

// An element whose axis is dropped.
Found dropped_part(const Node& node) {
    const auto cut = cut_of(node);
    return cut && cut->dropped ? element_of(cut->part) : Found();
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
    const auto part = always_fits(view) ? dropped_part(view.input(0).node()) : Found();
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
    if (!node.traits().view) return kept_at ? Found() : dropped_part(node);
    if (auto part = kept_at ? unsqueezed(node, *kept_at) : Found()) return part;
    return squeezed(node, kept_at);
}

std::optional<std::size_t> reversed_axis(const Node& node) {
    const auto cut = cut_of(node);
    return cut && cut->reversed ? std::optional(cut->part.axis) : std::nullopt;
}

NodePtr make_reversal(Rewriter& rewriter, const Output& data, std::size_t axis,
                      const std::string& name) {
    const auto ints = [&](const char* role, std::int64_t value) {
        return rewriter.make_ints(name + role, {value});
    };
    return rewriter.make<ops::Slice>(name, data, ints("/start", -1), ints("/stop", kBeforeAll),
                                     ints("/step", -1),
                                     ints("/axis", static_cast<std::int64_t>(axis)));
}

}  // namespace rondo::passes
