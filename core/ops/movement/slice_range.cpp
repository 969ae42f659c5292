// The slices start:stop:step of ONNX and OpenVINO, on extents that may be open.
#include "core/ops/movement/movement_ops.hpp"

#include <algorithm>
#include <limits>

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
    // Going down, a stop "before the first" is -1; going up, "behind the last" is the extent. A
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

}  // namespace rondo::ops
