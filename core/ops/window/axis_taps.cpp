#include "core/ops/window/axis_taps.hpp"

#include <algorithm>
#include <cmath>

namespace rondo::ops {
namespace {

std::int64_t padded_input(const ResizedAxis& axis) {
    return axis.pad_begin + axis.input + axis.pad_end;
}

// ONNX's and OpenVINO's formulas. Nearest computes in float, as other runtimes do, so that ties
// are the same ones. An axis that keeps its extent keeps its elements, unless a region is cropped:
// tf_half_pixel_for_nn would move them by half a place.
template <typename T>
T source_of(CoordinateMode mode, const ResizedAxis& axis, std::int64_t place) {
    const auto x = static_cast<T>(place);
    const auto last = static_cast<T>(padded_input(axis) - 1);
    const auto last_output = static_cast<T>(axis.output - 1);
    const auto corner = static_cast<T>(static_cast<double>(place) / axis.scale);
    const auto centre = static_cast<T>((static_cast<double>(place) + 0.5) / axis.scale);
    const T half_pixel = centre - T{0.5};
    switch (mode) {
        case CoordinateMode::half_pixel: return half_pixel;
        case CoordinateMode::half_pixel_symmetric: {
            const T length = static_cast<T>(axis.scale) * (last + 1);
            const T adjustment = static_cast<T>(axis.output) / length;
            return (last + 1) / 2 * (1 - adjustment) + centre - T{0.5};
        }
        case CoordinateMode::pytorch_half_pixel: return axis.output > 1 ? half_pixel : T{0};
        case CoordinateMode::asymmetric: return corner;
        case CoordinateMode::tf_half_pixel_for_nn: return axis.scale == 1 ? x : centre;
        case CoordinateMode::align_corners: return axis.output > 1 ? x * last / last_output : T{0};
        case CoordinateMode::align_corners_scaled: {
            const T end = static_cast<T>(axis.length) - 1;
            return end == 0 ? T{0} : x * last / end;
        }
        case CoordinateMode::tf_crop_and_resize: break;
    }
    const auto start = static_cast<T>(axis.roi_start), end = static_cast<T>(axis.roi_end);
    if (axis.output == 1) return (start + end) * last / 2;
    return start * last + x * (end - start) * last / last_output;
}

float nearest_of(NearestMode mode, float x, bool shrinks) {
    const float below = std::floor(x);
    switch (mode) {
        case NearestMode::round_prefer_floor: return x - below > 0.5F ? below + 1 : below;
        case NearestMode::round_prefer_ceil: return x - below >= 0.5F ? below + 1 : below;
        case NearestMode::floor: return below;
        case NearestMode::ceil: return std::ceil(x);
        case NearestMode::simple: break;
    }
    return shrinks ? std::ceil(x) : below;
}

// The place in the data, without pads, of a place that may be outside.
std::int64_t own_place(const ResizedAxis& axis, double place) {
    const auto last = static_cast<double>(padded_input(axis) - 1);
    const auto own = static_cast<std::int64_t>(std::clamp(place, 0.0, last)) - axis.pad_begin;
    return own < 0 || own >= axis.input ? kPadPlace : own;
}

// In float, so that rounding moves no corner of the region outside of the data.
bool is_extrapolated(const TapRule& rule, const ResizedAxis& axis, float x) {
    return rule.coordinates == CoordinateMode::tf_crop_and_resize &&
           !(x >= 0 && x <= static_cast<float>(padded_input(axis) - 1));
}

AxisTaps nearest_taps(const TapRule& rule, const ResizedAxis& axis) {
    AxisTaps taps;
    for (std::int64_t i = 0; i < axis.output; ++i) {
        const auto x = source_of<float>(rule.coordinates, axis, i);
        const float place = nearest_of(rule.nearest, x, axis.scale < 1);
        taps.places.push_back(is_extrapolated(rule, axis, x)
                                  ? kExtrapolatedPlace
                                  : own_place(axis, static_cast<double>(place)));
    }
    return taps;
}

// Keys' kernel with the coefficient a.
double cubic_weight(double x, double a) {
    x = std::fabs(x);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

bool is_pillow(InterpolateMode mode) {
    return mode == InterpolateMode::bilinear_pillow || mode == InterpolateMode::bicubic_pillow;
}

struct Filter {
    bool is_cubic;
    double stretch;  // 1, or below 1 if the filter covers more
    double a;
    bool excludes;

    std::int64_t reach() const {
        return static_cast<std::int64_t>(std::ceil((is_cubic ? 2 : 1) / stretch));
    }
    double weight(double distance) const {
        const double x = distance * stretch;
        return is_cubic ? cubic_weight(x, a) : std::max(0.0, 1 - std::fabs(x));
    }
};

Filter filter_of(const TapRule& rule, const ResizedAxis& axis) {
    const bool is_cubic =
        rule.mode == InterpolateMode::cubic || rule.mode == InterpolateMode::bicubic_pillow;
    const bool stretches = (rule.antialias || is_pillow(rule.mode)) && axis.scale < 1;
    return {is_cubic, stretches ? axis.scale : 1, static_cast<double>(rule.cube_coeff),
            rule.exclude_outside || is_pillow(rule.mode) || rule.mode == InterpolateMode::linear};
}

void add_weighted(AxisTaps& taps, const Filter& filter, const ResizedAxis& axis, double x) {
    const double first = std::floor(x) - static_cast<double>(filter.reach() - 1);
    const std::size_t begin = taps.weights.size();
    double sum = 0;
    for (std::int64_t k = 0; k < taps.count; ++k) {
        const double place = first + static_cast<double>(k);
        const bool is_inside = place >= 0 && place < static_cast<double>(padded_input(axis));
        const double weight = is_inside || !filter.excludes ? filter.weight(place - x) : 0;
        sum += weight;
        taps.places.push_back(own_place(axis, place));
        taps.weights.push_back(weight);
    }
    const bool adjusts = (filter.excludes || filter.stretch < 1) && sum != 0;
    for (std::size_t i = begin; i < taps.weights.size(); ++i) {
        if (adjusts) taps.weights[i] /= sum;
        if (taps.places[i] != kPadPlace) continue;
        taps.places[i] = 0;
        taps.weights[i] = 0;
    }
}

}  // namespace

bool AxisTaps::is_identity(std::int64_t input) const {
    if (static_cast<std::int64_t>(places.size()) != input * count) return false;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] == kExtrapolatedPlace) return false;
        const bool is_own = places[i] == static_cast<std::int64_t>(i) / count;
        if (weights.empty() ? !is_own : (weights[i] != 0 && (!is_own || weights[i] != 1))) {
            return false;
        }
    }
    return true;
}

AxisTaps taps_of(const TapRule& rule, const ResizedAxis& axis) {
    if (rule.mode == InterpolateMode::nearest) return nearest_taps(rule, axis);
    const Filter filter = filter_of(rule, axis);
    const CoordinateMode coordinates =
        is_pillow(rule.mode) ? CoordinateMode::half_pixel : rule.coordinates;
    AxisTaps taps;
    taps.count = 2 * filter.reach();
    for (std::int64_t i = 0; i < axis.output; ++i) {
        const double x = source_of<double>(coordinates, axis, i);
        if (is_extrapolated(rule, axis, static_cast<float>(x))) {
            taps.places.insert(taps.places.end(), static_cast<std::size_t>(taps.count),
                               kExtrapolatedPlace);
            taps.weights.insert(taps.weights.end(), static_cast<std::size_t>(taps.count), 0.0);
        } else {
            add_weighted(taps, filter, axis, x);
        }
    }
    return taps;
}

}  // namespace rondo::ops
