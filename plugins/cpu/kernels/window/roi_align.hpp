// Samples regions of planes in bins of equal size.
#pragma once

#include <cstdint>

#include "core/ops/window/roi_bins.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// data [batch, channels, height, width], regions [.., 4], out [.., channels, bins_y, bins_x].
struct RoiSizes {
    std::int64_t channels = 1;
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t bins_y = 1;
    std::int64_t bins_x = 1;
    std::int64_t ratio = 0;
    float scale = 1;
    ops::RoiMode mode = ops::RoiMode::avg;
    ops::RoiAlignment alignment = ops::RoiAlignment::asymmetric;
};

struct RoiArgs {
    const void* data = nullptr;  ///< of the region's image
    const void* region = nullptr;
    void* out = nullptr;     ///< of the region
    std::int64_t begin = 0;  ///< the channels [begin, end)
    std::int64_t end = 0;
};

/// One region. Returns false where it is so large that its samples are not taken.
using RoiLoop = bool (*)(const RoiSizes& sizes, const RoiArgs& args);

/// f32 or f64.
RoiLoop roi_loop(ElementType type);

}  // namespace rondo::cpu
