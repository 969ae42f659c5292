#include "plugins/cpu/kernels/window/col2im.hpp"

#include <algorithm>

#include "core/support/errors.hpp"

namespace rondo::cpu {
namespace {

// The blocks [first, last) of an axis whose tap `tap` lies in the image.
struct Blocks {
    std::int64_t first, last;

    Blocks(const WindowAxis& axis, std::int64_t tap) {
        const std::int64_t at_0 = tap * axis.dilation - axis.pad_begin;
        first = at_0 >= 0 ? 0 : (-at_0 + axis.stride - 1) / axis.stride;
        last = at_0 >= axis.input ? 0 : (axis.input - 1 - at_0) / axis.stride + 1;
        first = std::min(first, axis.output);
        last = std::clamp(last, first, axis.output);
    }
};

std::int64_t place(const WindowAxis& axis, std::int64_t tap, std::int64_t block) {
    return tap * axis.dilation - axis.pad_begin + block * axis.stride;
}

template <typename T>
void add_run(const T* from, T* to, std::int64_t count, std::int64_t stride) {
    if (stride == 1) {
        for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(to[i] + from[i]);
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            to[i * stride] = static_cast<T>(to[i * stride] + from[i]);
        }
    }
}

template <typename T>
void add_tap(const std::array<WindowAxis, 3>& axes, const std::array<std::int64_t, 3>& tap,
             const T* from, T* to) {
    const Blocks outer(axes[0], tap[0]), middle(axes[1], tap[1]), inner(axes[2], tap[2]);
    if (inner.first == inner.last) return;
    for (std::int64_t i = outer.first; i < outer.last; ++i) {
        for (std::int64_t j = middle.first; j < middle.last; ++j) {
            const std::int64_t row =
                place(axes[0], tap[0], i) * axes[1].input + place(axes[1], tap[1], j);
            add_run(from + (i * axes[1].output + j) * axes[2].output + inner.first,
                    to + row * axes[2].input + place(axes[2], tap[2], inner.first),
                    inner.last - inner.first, axes[2].stride);
        }
    }
}

template <typename T>
void add_planes(const std::array<WindowAxis, 3>& axes, const Col2ImArgs& args) {
    const std::int64_t image = axes_product(axes, &WindowAxis::input);
    const std::int64_t blocks = axes_product(axes, &WindowAxis::output);
    const std::int64_t taps = axes_product(axes, &WindowAxis::kernel);
    for (std::int64_t plane = args.begin; plane < args.end; ++plane) {
        const T* from = static_cast<const T*>(args.data) + plane * taps * blocks;
        T* to = static_cast<T*>(args.out) + plane * image;
        std::fill(to, to + image, T{0});
        for (std::int64_t k = 0; k < taps; ++k, from += blocks) {
            add_tap(axes,
                    {k / axes[2].kernel / axes[1].kernel, k / axes[2].kernel % axes[1].kernel,
                     k % axes[2].kernel},
                    from, to);
        }
    }
}

}  // namespace

Col2ImLoop col2im_loop(ElementType type) {
    if (type == ElementType::f32) return add_planes<float>;
    if (type == ElementType::f64) return add_planes<double>;
    internal_check(is_integral(type), "blocks of a type without sums are added");
    switch (size_of(type)) {
        case 1: return add_planes<std::uint8_t>;
        case 2: return add_planes<std::uint16_t>;
        case 4: return add_planes<std::uint32_t>;
        default: return add_planes<std::uint64_t>;
    }
}

}  // namespace rondo::cpu
