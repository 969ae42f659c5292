// Which elements a point between those of the data is made of, along one axis.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace rondo::ops {

enum class GridMode : std::uint8_t { nearest, bilinear, bicubic };
inline constexpr std::pair<std::string_view, GridMode> kGridModes[] = {
    {"bicubic", GridMode::bicubic},
    {"bilinear", GridMode::bilinear},
    {"nearest", GridMode::nearest},
};

/// What is outside of the data: zeros, the outermost elements, or the data mirrored.
enum class GridPadding : std::uint8_t { zeros, border, reflection };
inline constexpr std::pair<std::string_view, GridPadding> kGridPaddings[] = {
    {"border", GridPadding::border},
    {"reflection", GridPadding::reflection},
    {"zeros", GridPadding::zeros},
};

/// -1 and 1 are the centres of the outermost elements with `align_corners`, else their outer edges.
struct GridRule {
    GridMode mode = GridMode::bilinear;
    GridPadding padding = GridPadding::zeros;
    bool align_corners = false;
    bool is_f64 = false;  ///< the grid is: else the nearest element is that of f32 arithmetic

    std::int64_t taps() const {
        return mode == GridMode::nearest ? 1 : mode == GridMode::bilinear ? 2 : 4;
    }
};

/// `places[k]` is -1 if nothing is added. Only the first taps() entries are set.
struct GridTaps {
    std::array<std::int64_t, 4> places{};
    std::array<double, 4> weights{};
};

namespace detail {

template <typename T>
T grid_place(const GridRule& rule, T normal, T length) {
    return rule.align_corners ? (normal + 1) / 2 * (length - 1) : ((normal + 1) * length - 1) / 2;
}

// Beyond the border is the outermost element: a point there is moved onto it. Four taps are
// looked up there one by one.
inline bool moves_points(const GridRule& rule) {
    return rule.padding == GridPadding::border && rule.mode != GridMode::bicubic;
}

template <typename T>
T inner_place(const GridRule& rule, T normal, T length) {
    const T place = grid_place(rule, normal, length);
    return moves_points(rule) && length > 0 ? std::clamp(place, T{0}, length - 1) : place;
}

// An element's place in the data, or -1. A point that is no number has none.
inline std::int64_t padded_place(const GridRule& rule, double place, double length) {
    if (!(length > 0) || !std::isfinite(place)) return -1;
    if (place >= 0 && place < length) return static_cast<std::int64_t>(place);
    if (rule.padding == GridPadding::zeros || moves_points(rule)) return -1;  // of weight 0, then
    if (rule.padding == GridPadding::reflection) {
        // Mirrors at the centres or at the edges of the outermost elements.
        const double edge = rule.align_corners ? 0 : 0.5;
        const double span = rule.align_corners ? length - 1 : length;
        const double walked = span > 0 ? std::fmod(std::fabs(place + edge), 2 * span) : 0;
        place = (walked > span ? 2 * span - walked : walked) - edge;
    }
    return static_cast<std::int64_t>(std::clamp(place, 0.0, length - 1));
}

inline void set_cubic(GridTaps& taps, double x) {
    constexpr double a = -0.75;
    const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    taps.weights = {far(x + 1), near(x), near(1 - x), far(2 - x)};
}

}  // namespace detail

/// The taps of the point `normal` on an axis of `extent` elements.
inline GridTaps grid_taps(const GridRule& rule, double normal, std::int64_t extent) {
    const auto length = static_cast<double>(extent);
    GridTaps taps;
    if (rule.mode == GridMode::nearest) {
        const double place =
            rule.is_f64 ? std::nearbyint(detail::inner_place(rule, normal, length))
                        : static_cast<double>(std::nearbyint(detail::inner_place(
                              rule, static_cast<float>(normal), static_cast<float>(length))));
        taps.places[0] = detail::padded_place(rule, place, length);
        taps.weights[0] = 1;
        return taps;
    }
    const double place = detail::inner_place(rule, normal, length);
    const double below = std::floor(place);
    const double rest = place - below;
    const bool is_cubic = rule.mode == GridMode::bicubic;
    if (is_cubic) {
        detail::set_cubic(taps, rest);
    } else {
        taps.weights = {1 - rest, rest};
    }
    const double first = is_cubic ? below - 1 : below;
    for (std::size_t k = 0; k < static_cast<std::size_t>(rule.taps()); ++k) {
        taps.places[k] = detail::padded_place(rule, first + static_cast<double>(k), length);
    }
    return taps;
}

}  // namespace rondo::ops
