// One spatial axis of a sliding window: attributes, checks and extents that the window ops share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "rondo/shape.hpp"

namespace rondo {
class InferContext;
}

namespace rondo::ops {

/// The source of the zeros around the data: `explicit_pads` from pads_begin and pads_end;
/// `same_upper` and `same_lower` give ceil(extent / stride) outputs, the odd zero at the end or at
/// the beginning; `valid` means none.
enum class AutoPad : std::uint8_t { explicit_pads, same_upper, same_lower, valid };
inline constexpr std::pair<std::string_view, AutoPad> kAutoPads[] = {
    {"explicit", AutoPad::explicit_pads},
    {"same_lower", AutoPad::same_lower},
    {"same_upper", AutoPad::same_upper},
    {"valid", AutoPad::valid},
};

/// One entry a spatial axis; an empty list means ones (strides, dilations) or zeros (pads).
struct ConvolutionAttributes {
    std::vector<std::int64_t> strides{};
    std::vector<std::int64_t> dilations{};
    std::vector<std::int64_t> pads_begin{};  ///< read with explicit_pads only
    std::vector<std::int64_t> pads_end{};    ///< read with explicit_pads only
    AutoPad auto_pad = AutoPad::explicit_pads;
};

/// Everything about one spatial axis once the shapes are known.
struct ConvolutionAxis {
    std::int64_t input = 0;
    std::int64_t kernel = 0;
    std::int64_t output = 0;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t pad_begin = 0;  ///< chosen by auto_pad
    std::int64_t pad_end = 0;
};

inline constexpr std::size_t kMaxSpatialAxes = 3;
/// With attributes and extents within these bounds no product or sum of one axis overflows.
inline constexpr std::int64_t kMaxWindowAttribute = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t kMaxWindowKernel = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t kMaxWindowInput = std::int64_t{1} << 47;

inline bool is_same(AutoPad pad) {
    return pad == AutoPad::same_upper || pad == AutoPad::same_lower;
}

/// The span of data that one output reads, gaps included.
inline std::int64_t reach_of(const ConvolutionAxis& axis) {
    return axis.dilation * (axis.kernel - 1) + 1;
}

/// Entry `i` of a list, or `otherwise` where the list is empty.
inline std::int64_t entry_of(const std::vector<std::int64_t>& list, std::size_t i,
                             std::int64_t otherwise) {
    return list.empty() ? otherwise : list[i];
}

/// One axis with its attributes; extents are still 0.
ConvolutionAxis axis_of(const ConvolutionAttributes& attributes, std::size_t i);

/// Finds the output's extent, and the pads that `pad` chooses, for known input and kernel.
void settle(ConvolutionAxis& axis, AutoPad pad);

/// Distributes `total` zeros over both ends, the odd one as `pad` says.
void distribute_pads(ConvolutionAxis& axis, std::int64_t total, AutoPad pad);

/// A list of an op, under its name in the IR, and the least value of an entry.
struct WindowList {
    const char* name;
    const std::vector<std::int64_t>& values;
    std::int64_t least;
};

/// Throws through `context` unless the list is empty or has an entry a spatial axis, each within
/// its bounds.
void check_list(const InferContext& context, const WindowList& list, std::size_t spatial);
void check_lists(const InferContext& context, const ConvolutionAttributes& attributes,
                 std::size_t spatial);

/// Throws through `context` unless the extents of one axis are within their bounds.
void check_extents(const InferContext& context, const Dimension& input, const Dimension& kernel);

/// The output's extent along axis `i` from extents that may be open; 0 where the window is larger
/// than the padded data.
Dimension window_extent(const InferContext& context, const ConvolutionAttributes& attributes,
                        std::size_t i, const Dimension& input, const Dimension& kernel);

}  // namespace rondo::ops
