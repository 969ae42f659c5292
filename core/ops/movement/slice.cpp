// Takes a part of a tensor along some of its axes: the slices start:stop:step of ONNX and OpenVINO,
// on extents that may be open.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>
#include <limits>

#include "core/graph/infer_context.hpp"
#include "core/graph/inference.hpp"
#include "core/ops/common/extents.hpp"
#include "core/ops/common/independent_axes.hpp"

namespace rondo::ops {
namespace {

// A bound of this size means nothing for real tensors and only hides that the extent is open.
constexpr std::int64_t kNoBound = std::int64_t{1} << 60;

// Counts from the end below 0, then clamps.
std::int64_t clamped(std::int64_t index, std::int64_t extent, std::int64_t low, std::int64_t high) {
    return std::clamp(index < 0 ? index + extent : index, low, high);
}

std::int64_t magnitude(std::int64_t step) {
    return step < 0 ? -std::max(step, -Dimension::kInfinity) : step;
}

std::int64_t length_at(const SliceRequest& request, std::int64_t extent) {
    return resolve(request, extent).length;
}

// The extent at which the slice is longest if the length can also shrink as the extent grows:
// one end of the slice counts from the front, the other from the back, as in -3:7 or 6:-4:-1.
std::int64_t peak(const SliceRequest& request) {
    const std::int64_t start = *request.start;
    const std::int64_t stop = *request.stop;
    if (*request.step > 0) return start < 0 && stop >= 0 ? std::min(magnitude(start), stop) : 0;
    if (stop >= 0) return 0;
    if (start < 0) return 1;  // a start before the first is the first
    return std::min(start, magnitude(stop) - 2) + 1;
}

}  // namespace

SliceRange resolve(const SliceRequest& request, std::int64_t extent) {
    if (extent == 0) return {};
    const std::int64_t step = *request.step;
    // Going down, a stop "before the first" is -1; going up, "after the last" is the extent. A
    // start before the first is the first both ways, unlike in Python.
    const std::int64_t high = step < 0 ? extent - 1 : extent;
    const std::int64_t start = clamped(*request.start, extent, 0, high);
    const std::int64_t stop = clamped(*request.stop, extent, step < 0 ? -1 : 0, high);
    const std::int64_t distance = step < 0 ? start - stop : stop - start;
    if (distance <= 0) return {};
    const std::int64_t length = (distance - 1) / magnitude(step) + 1;
    return {start, length > 1 ? step : 1, length};
}

Dimension sliced_extent(const SliceRequest& request, const Dimension& extent) {
    const auto bound = [](std::int64_t max) { return max < kNoBound ? max : Dimension::kInfinity; };
    if (!request.start || !request.stop || !request.step) {
        const std::int64_t step = request.step ? magnitude(*request.step) : 1;
        const std::int64_t max = extent.max() == 0 ? 0 : (extent.max() - 1) / step + 1;
        return {0, bound(max)};
    }
    const std::int64_t at_min = length_at(request, extent.min());
    const std::int64_t at_max = length_at(request, extent.max());
    if (extent.is_static()) return {at_min};
    const std::int64_t at_peak =
        length_at(request, std::clamp(peak(request), extent.min(), extent.max()));
    return {std::min(at_min, at_max), bound(std::max({at_min, at_max, at_peak}))};
}

bool takes_all(const SliceRequest& request) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();
    return request.start == 0 && request.step == 1 && request.stop && *request.stop >= kEnd;
}

// Exporters write the least 32-bit integer, or the one after it, for what lies before the first.
bool reverses_all(const SliceRequest& request) {
    constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int32_t>::min() + 1;
    return request.start == -1 && request.step == -1 && request.stop && *request.stop <= kBeforeAll;
}

namespace {

constexpr std::size_t kStart = 1;
constexpr std::size_t kStop = 2;
constexpr std::size_t kStep = 3;
constexpr std::size_t kAxes = 4;
constexpr const char* kSliceInputs[] = {"data", "start", "stop", "step", "axes"};

std::optional<std::vector<std::size_t>> sliced_axes(const InferContext& context) {
    const std::size_t rank = context.shape(0).rank();
    const auto count = common_length(context, kStart, kSliceInputs);
    if (!count) return std::nullopt;
    if (*count > rank) {
        context.fail("got " + std::to_string(*count) + " slices for data of shape " +
                     to_string(context.shape(0)));
    }
    if (context.input_count() > kAxes) {
        const auto axes = context.ints(kAxes);
        if (!axes) return std::nullopt;
        return distinct_axes(context, *axes, rank);
    }
    std::vector<std::size_t> axes(*count);
    for (std::size_t i = 0; i < *count; ++i) axes[i] = i;
    return axes;
}

std::optional<std::int64_t> element(const std::optional<std::vector<std::int64_t>>& values,
                                    std::size_t index) {
    if (!values) return std::nullopt;
    return values->at(index);
}

}  // namespace

std::optional<std::vector<SliceRequest>> slice_requests(const InferContext& context) {
    const auto axes = sliced_axes(context);
    if (!axes) return std::nullopt;
    const auto start = context.ints(kStart);
    const auto stop = context.ints(kStop);
    const auto step = context.ints(kStep);
    std::vector<SliceRequest> requests(context.shape(0).rank());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        SliceRequest& request = requests[(*axes)[i]];
        request = {element(start, i), element(stop, i), element(step, i), i};
        if (request.step == 0) {
            context.fail("the step of axis " + std::to_string((*axes)[i]) + " is 0");
        }
    }
    return requests;
}

std::vector<Dimension> Slice::known_extents(std::size_t, int steps) const {
    const auto extents = rondo::known_extents(input(0), steps);
    SliceRequest request;
    std::optional<std::int64_t>* const numbers[] = {&request.start, &request.stop, &request.step};
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor number = rondo::known_value(input(kStart + i));
        if (!number || number.size() != 1) return {};
        *numbers[i] = to_int64_vector(number).front();
    }
    if (extents.empty() || *request.step == 0) return {};
    const SliceRange range = resolve(request, static_cast<std::int64_t>(extents.size()));
    std::vector<Dimension> taken;
    for (std::int64_t i = 0; i < range.length; ++i) {
        taken.push_back(extents[static_cast<std::size_t>(range.start + i * range.step)]);
    }
    return taken;
}

void Slice::infer(InferContext& context) const {
    context.check_input_count(4, 5);
    PartialShape result = context.shape(0);
    if (result.has_rank()) {
        const auto requests = slice_requests(context);
        for (std::size_t i = 0; i < result.rank(); ++i) {
            // It isn't known which axes are sliced: each may be.
            result[i] =
                requests ? sliced_extent((*requests)[i], result[i]) : Dimension(0, result[i].max());
        }
    }
    context.set_output(0, context.type(0), std::move(result));
}

std::optional<IndependentAxis> Slice::independent_axis(std::size_t, std::size_t axis) const {
    const auto requests = slice_requests(context_of(*this));
    if (requests && takes_all((*requests)[axis])) return rows_of_data(*this, axis, axis);
    if (input_count() > kAxes) return rows_beside_named_axis(*this, axis, kAxes);
    const PartialShape& start = input(kStart).shape();
    if (!start.is_static() || axis < element_count(start.to_shape())) return std::nullopt;
    return rows_of_data(*this, axis, axis);
}

std::vector<ExtentSource> Slice::extent_sources(std::size_t output, std::size_t axis) const {
    if (!input(0).shape().has_rank()) return {};
    const auto requests = slice_requests(context_of(*this));
    if (requests && reverses_all((*requests)[axis])) return {{0, axis}};
    return Node::extent_sources(output, axis);
}

}  // namespace rondo::ops
