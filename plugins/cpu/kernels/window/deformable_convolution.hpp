// Convolutions whose taps are moved by offsets.
#pragma once

#include <array>
#include <cstdint>

#include "plugins/cpu/kernels/threads/team.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// data [batch, groups * channels, H, W], filters [groups * filters, channels, KH, KW], offsets
/// [batch, offset_groups * KH * KW * 2, OH, OW].
struct DeformableSizes {
    std::int64_t batch = 1;
    std::int64_t groups = 1;
    std::int64_t channels = 1;  ///< of a group
    std::int64_t filters = 1;   ///< likewise
    std::int64_t offset_groups = 1;
    std::array<WindowAxis, 2> axes;
    bool pads_by_zero = true;

    std::int64_t taps() const { return axes[0].kernel * axes[1].kernel; }
    std::int64_t positions() const { return axes[0].output * axes[1].output; }
};

/// scratch: deformable_scratch() bytes a slice, on a cache line.
struct DeformableArgs {
    const void* data = nullptr;
    const void* offsets = nullptr;
    const void* filters = nullptr;
    const void* factors = nullptr;  ///< null where there are none
    void* out = nullptr;
    void* scratch = nullptr;
};

/// Bytes of a slice: the moved data of some positions.
std::size_t deformable_scratch(ElementType type, const DeformableSizes& sizes);

/// f32 or f64. `slices`: how many slices of scratch there are, at least 1.
void run_deformable(ElementType type, const DeformableSizes& sizes, const DeformableArgs& args,
                    int slices, Team& team);

}  // namespace rondo::cpu
