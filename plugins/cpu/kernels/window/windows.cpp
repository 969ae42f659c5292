#include "plugins/cpu/kernels/window/windows.hpp"

#include <algorithm>

namespace rondo::cpu {
namespace {

// Elements that lie side by side in a line of the data, `stride` apart; zeros where `from` is null.
template <typename T>
struct Source {
    const T* from;
    std::int64_t stride;
};

template <typename T>
void put(const WindowTarget<T>& target, std::int64_t p, Source<T> source, std::int64_t count) {
    while (count > 0) {
        const std::int64_t inner = p % target.run;
        const std::int64_t some = std::min(count, target.run - inner);
        T* to = target.base + p / target.run * target.run_stride + inner * target.step;
        if (source.from == nullptr) {
            for (std::int64_t i = 0; i < some; ++i) to[i * target.step] = T{0};
        } else if (target.step == 1 && source.stride == 1) {
            std::copy_n(source.from, some, to);
        } else {
            for (std::int64_t i = 0; i < some; ++i) {
                to[i * target.step] = source.from[i * source.stride];
            }
        }
        if (source.from != nullptr) source.from += some * source.stride;
        p += some;
        count -= some;
    }
}

}  // namespace

template <typename T>
void put_zeros(const WindowTarget<T>& target, std::int64_t p, std::int64_t count) {
    put<T>(target, p, {nullptr, 1}, count);
}

// A line of the data, or null in the padding, and the first element of it that is met.
template <typename T>
struct Windows::Line {
    const T* data;
    std::int64_t x;
};

Windows::Windows(const ConvolutionSizes& sizes) : axes_(sizes.axes), channels_(sizes.channels) {
    for (const auto& axis : axes_) {
        size_ *= axis.kernel;
        channel_ *= axis.input;
        positions_ *= axis.output;
        is_data_ = is_data_ && axis.kernel == 1 && axis.input == 1 && axis.output == 1 &&
                   axis.pad_begin == 0;
    }
    size_ *= channels_;
}

template <typename T>
void Windows::gather(const T* data, std::int64_t k, std::int64_t first, std::int64_t count,
                     const WindowTarget<T>& target) const {
    std::int64_t place[3];
    std::int64_t rest = k;
    for (int i = 2; i >= 0; --i) {
        const auto& axis = axes_[static_cast<std::size_t>(i)];
        place[i] = rest % axis.kernel * axis.dilation - axis.pad_begin;
        rest /= axis.kernel;
    }
    const T* channel = data + rest * channel_;
    const std::int64_t columns = axes_[2].output;
    for (std::int64_t p = 0; p < count;) {
        const std::int64_t column = (first + p) % columns;
        const std::int64_t run = std::min(count - p, columns - column);
        const Line<T> line{line_of(channel, (first + p) / columns, place),
                           column * axes_[2].stride + place[2]};
        gather_line(line, p, run, target);
        p += run;
    }
}

// Elements x, x + stride and so on of a line; those outside of it are zeros.
template <typename T>
void Windows::gather_line(const Line<T>& line, std::int64_t p, std::int64_t count,
                          const WindowTarget<T>& target) const {
    const std::int64_t x = line.x, stride = axes_[2].stride;
    const std::int64_t end = line.data == nullptr ? x : axes_[2].input;
    const auto before = [&](std::int64_t limit) {  // how many lie before it
        return limit <= x ? 0 : std::min((limit - x + stride - 1) / stride, count);
    };
    const std::int64_t zeros = std::min(before(0), before(end)), inside = before(end) - zeros;
    put_zeros(target, p, zeros);
    if (inside > 0) put<T>(target, p + zeros, {line.data + x + zeros * stride, stride}, inside);
    put_zeros(target, p + zeros + inside, count - zeros - inside);
}

// The line of the data that output line `index` meets, or null where it lies in the padding.
template <typename T>
const T* Windows::line_of(const T* channel, std::int64_t index,
                          const std::int64_t (&place)[3]) const {
    const std::int64_t y = index % axes_[1].output * axes_[1].stride + place[1];
    const std::int64_t z = index / axes_[1].output * axes_[0].stride + place[0];
    if (y < 0 || y >= axes_[1].input || z < 0 || z >= axes_[0].input) return nullptr;
    return channel + (z * axes_[1].input + y) * axes_[2].input;
}

template void put_zeros(const WindowTarget<float>&, std::int64_t, std::int64_t);
template void put_zeros(const WindowTarget<double>&, std::int64_t, std::int64_t);
template void Windows::gather(const float*, std::int64_t, std::int64_t, std::int64_t,
                              const WindowTarget<float>&) const;
template void Windows::gather(const double*, std::int64_t, std::int64_t, std::int64_t,
                              const WindowTarget<double>&) const;

}  // namespace rondo::cpu
