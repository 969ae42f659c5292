// Which elements of the data each place of a resized axis is made of.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::ops {

enum class InterpolateMode : std::uint8_t {
    nearest,
    linear,       ///< weights outside of the data are left out
    linear_onnx,  ///< the outermost elements repeat outside of the data
    cubic,
    bilinear_pillow,  ///< linear with antialias and half_pixel, whatever the coordinates are
    bicubic_pillow,   ///< cubic with antialias and half_pixel, likewise
};
inline constexpr std::pair<std::string_view, InterpolateMode> kInterpolateModes[] = {
    {"bicubic_pillow", InterpolateMode::bicubic_pillow},
    {"bilinear_pillow", InterpolateMode::bilinear_pillow},
    {"cubic", InterpolateMode::cubic},
    {"linear", InterpolateMode::linear},
    {"linear_onnx", InterpolateMode::linear_onnx},
    {"nearest", InterpolateMode::nearest},
};

/// How a place of the output becomes a place of the data: the formulas are in axis_taps.cpp.
/// `half_pixel_symmetric`, `tf_crop_and_resize` and `align_corners_scaled` are rondo1's.
enum class CoordinateMode : std::uint8_t {
    half_pixel,
    half_pixel_symmetric,
    pytorch_half_pixel,
    asymmetric,
    tf_half_pixel_for_nn,
    align_corners,
    align_corners_scaled,  ///< align_corners of an output that may end between two places
    tf_crop_and_resize,
};
inline constexpr std::pair<std::string_view, CoordinateMode> kCoordinateModes[] = {
    {"align_corners", CoordinateMode::align_corners},
    {"align_corners_scaled", CoordinateMode::align_corners_scaled},
    {"asymmetric", CoordinateMode::asymmetric},
    {"half_pixel", CoordinateMode::half_pixel},
    {"half_pixel_symmetric", CoordinateMode::half_pixel_symmetric},
    {"pytorch_half_pixel", CoordinateMode::pytorch_half_pixel},
    {"tf_crop_and_resize", CoordinateMode::tf_crop_and_resize},
    {"tf_half_pixel_for_nn", CoordinateMode::tf_half_pixel_for_nn},
};

/// `simple` is ceil where the axis shrinks and floor elsewhere.
enum class NearestMode : std::uint8_t {
    round_prefer_floor,
    round_prefer_ceil,
    floor,
    ceil,
    simple
};
inline constexpr std::pair<std::string_view, NearestMode> kNearestModes[] = {
    {"ceil", NearestMode::ceil},
    {"floor", NearestMode::floor},
    {"round_prefer_ceil", NearestMode::round_prefer_ceil},
    {"round_prefer_floor", NearestMode::round_prefer_floor},
    {"simple", NearestMode::simple},
};

/// What is the same for all axes.
struct TapRule {
    InterpolateMode mode = InterpolateMode::nearest;
    CoordinateMode coordinates = CoordinateMode::half_pixel;
    NearestMode nearest = NearestMode::round_prefer_floor;
    bool antialias = false;        ///< a filter as wide as what a place covers
    bool exclude_outside = false;  ///< weights outside of the data are left out
    float cube_coeff = -0.75F;
};

/// One axis once all sizes are known.
struct ResizedAxis {
    std::int64_t input = 1;  ///< elements of the data
    std::int64_t output = 1;
    std::int64_t pad_begin = 0;  ///< zeros in front of the data
    std::int64_t pad_end = 0;
    double scale = 1;      ///< > 0
    double length = 1;     ///< input with pads, times scale: `output` before it was rounded
    double roi_start = 0;  ///< the part of the data that tf_crop_and_resize takes, 0 to 1 is all
    double roi_end = 1;
};

/// Places without an element of the data.
inline constexpr std::int64_t kPadPlace = -1;           ///< 0 is there
inline constexpr std::int64_t kExtrapolatedPlace = -2;  ///< the extrapolation value is there

/// `output` groups of `count` places in the data and their weights. Nearest has one place and no
/// weights, and is alone in having kPadPlace. A group is extrapolated if its first place is.
struct AxisTaps {
    std::int64_t count = 1;
    std::vector<std::int64_t> places;
    std::vector<double> weights;

    /// Whether each place of the output is that of the data.
    bool is_identity(std::int64_t input) const;
};

/// `axis` has one element or more if it has outputs.
AxisTaps taps_of(const TapRule& rule, const ResizedAxis& axis);

}  // namespace rondo::ops
