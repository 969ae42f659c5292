// Takes a part of a tensor with TensorFlow's masks, which also insert and remove axes.
#include "core/ops/movement/movement_ops.hpp"

#include <limits>

#include "core/graph/infer_context.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

using Kind = StridedSlicePart::Kind;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr const char* kStridedInputs[] = {"data", "begin", "end", "strides"};

bool flag(const std::vector<std::int64_t>& mask, std::size_t index) {
    return index < mask.size() && mask[index] != 0;
}

// The inputs' elements, each of which may be unknown.
struct Elements {
    std::optional<std::vector<std::int64_t>> begin;
    std::optional<std::vector<std::int64_t>> end;
    std::optional<std::vector<std::int64_t>> strides;  // an empty vector if all are 1

    std::optional<std::int64_t> stride(std::size_t index) const {
        if (!strides) return std::nullopt;
        return strides->empty() ? 1 : strides->at(index);
    }
};

Elements read_elements(const InferContext& context) {
    const bool has_strides = context.input_count() == 4;
    return {context.ints(1), context.ints(2),
            has_strides ? context.ints(3) : std::vector<std::int64_t>()};
}

SliceRequest request_at(const Elements& elements, const StridedSliceMasks& masks,
                        std::size_t index) {
    SliceRequest request;
    request.element = index;
    request.step = elements.stride(index);
    const bool shrink = flag(masks.shrink_axis, index);  // one element: the stride doesn't matter
    const bool down = !shrink && request.step.value_or(1) < 0;
    if (flag(masks.begin, index)) {
        request.start = down ? -1 : 0;
        // It isn't known which end is the first.
        if (!shrink && !request.step) request.start.reset();
    } else {
        request.start.reset();
        if (elements.begin) request.start = elements.begin->at(index);
    }
    if (flag(masks.end, index)) {
        request.stop = down ? kLowest : Dimension::kInfinity;
        if (!request.step) request.stop.reset();
    } else {
        request.stop.reset();
        if (elements.end) request.stop = elements.end->at(index);
    }
    return request;
}

// The number of axes of the ellipsis; without one the remaining axes at the end stay whole.
std::size_t whole_axes(const InferContext& context, const StridedSliceMasks& masks,
                       std::size_t count) {
    std::size_t taken = 0;
    std::size_t ellipses = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (flag(masks.ellipsis, i)) {
            ++ellipses;
        } else if (!flag(masks.new_axis, i)) {
            ++taken;
        }
    }
    context.check(ellipses <= 1,
                  "ellipsis_mask has " + std::to_string(ellipses) + " ones; expected at most 1");
    const std::size_t rank = context.shape(0).rank();
    context.check(taken <= rank, "begin has elements for " + std::to_string(taken) +
                                     " axes, but data has shape " + to_string(context.shape(0)));
    return rank - taken;
}

void check_shrunk(const InferContext& context, const SliceRequest& request, std::size_t axis) {
    if (!request.start) return;
    const std::int64_t extent = context.shape(0)[axis].max();
    const std::int64_t index = *request.start;
    // -index - 1 can't overflow, -index could.
    context.check(index < 0 ? -(index + 1) < extent : index < extent,
                  "index " + std::to_string(index) + " is out of range for axis " +
                      std::to_string(axis) + " of data of shape " + to_string(context.shape(0)));
}

}  // namespace

std::optional<std::vector<StridedSlicePart>> strided_slice_parts(const InferContext& context,
                                                                 const StridedSliceMasks& masks) {
    const auto count = common_length(context, 1, kStridedInputs);
    if (!count) return std::nullopt;
    const Elements elements = read_elements(context);
    std::size_t whole = whole_axes(context, masks, *count);
    std::vector<StridedSlicePart> parts;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < *count; ++i) {
        if (flag(masks.ellipsis, i)) {
            parts.resize(parts.size() + whole);
            axis += whole;
            whole = 0;
        } else if (flag(masks.new_axis, i)) {
            parts.push_back({Kind::new_axis, {}});
        } else {
            const SliceRequest request = request_at(elements, masks, i);
            const bool shrink = flag(masks.shrink_axis, i);
            context.check(request.step != 0,
                          "the stride of axis " + std::to_string(axis) + " is 0");
            if (shrink) check_shrunk(context, request, axis);
            parts.push_back({shrink ? Kind::shrink : Kind::cut, request});
            ++axis;
        }
    }
    parts.resize(parts.size() + whole);
    return parts;
}

void StridedSlice::infer(InferContext& context) const {
    context.check_input_count(3, 4);
    const PartialShape& data = context.shape(0);
    PartialShape result;
    const auto parts = data.has_rank() ? strided_slice_parts(context, masks_) : std::nullopt;
    if (parts) {
        std::vector<Dimension> extents;
        std::size_t axis = 0;
        for (const auto& part : *parts) {
            if (part.kind == Kind::new_axis) {
                extents.emplace_back(1);
                continue;
            }
            if (part.kind == Kind::cut) extents.push_back(sliced_extent(part.request, data[axis]));
            ++axis;
        }
        result = PartialShape(std::move(extents));
    }
    context.set_output(0, context.type(0), std::move(result));
}

// An axis that is taken whole.
std::optional<IndependentAxis> StridedSlice::independent_axis(std::size_t, std::size_t axis) const {
    const auto parts = strided_slice_parts(context_of(*this), masks_);
    if (!parts) return std::nullopt;
    std::size_t from = 0;  // axes of data so far
    std::size_t made = 0;  // axes of the output so far
    for (const StridedSlicePart& part : *parts) {
        const bool is_kept = part.kind != Kind::shrink;
        if (is_kept && made++ == axis) {
            if (part.kind != Kind::cut || !takes_all(part.request)) return std::nullopt;
            return rows_of_data(*this, axis, from);
        }
        if (part.kind != Kind::new_axis) ++from;
    }
    return std::nullopt;
}

}  // namespace rondo::ops
