// Adds overlapping blocks to images.
#pragma once

#include <array>
#include <cstdint>

#include "plugins/cpu/kernels/window/windows.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// data [planes, taps, blocks], out [planes, image...]: an axis' `input` is that of the image, its
/// `output` the number of blocks.
struct Col2ImArgs {
    const void* data = nullptr;
    void* out = nullptr;
    std::int64_t begin = 0;  ///< the planes [begin, end)
    std::int64_t end = 0;
};

using Col2ImLoop = void (*)(const std::array<WindowAxis, 3>& axes, const Col2ImArgs& args);

/// For f32, f64 and integers, whose sums wrap. Usable from many threads.
Col2ImLoop col2im_loop(ElementType type);

}  // namespace rondo::cpu
