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

// Taps of a line: the first ones before the data, those inside of it, and the rest behind it.
struct Windows::Taps {
    std::int64_t before;
    std::int64_t inside;
    std::int64_t behind;
};

Windows::Taps Windows::taps_from(std::int64_t x) const {
    const auto& [input, kernel, output, stride, dilation, pad] = axes_[2];
    const auto up_to = [&](std::int64_t limit) {
        return limit <= x ? 0 : std::min((limit - x + dilation - 1) / dilation, kernel);
    };
    const std::int64_t before = up_to(0), inside = std::max(before, up_to(input)) - before;
    return {before, inside, kernel - before - inside};
}

// The line of the data that line `number` of a window's taps meets, or null in the padding.
template <typename T>
const T* Windows::line_of_tap(const T* channel, std::int64_t number,
                              const std::int64_t (&place)[3]) const {
    const std::int64_t y = place[1] + number % axes_[1].kernel * axes_[1].dilation;
    const std::int64_t z = place[0] + number / axes_[1].kernel * axes_[0].dilation;
    if (y < 0 || y >= axes_[1].input || z < 0 || z >= axes_[0].input) return nullptr;
    return channel + (z * axes_[1].input + y) * axes_[2].input;
}

// `place`: what tap 0 of each axis meets. Returns the place behind the window.
template <typename T>
T* Windows::gather_window(const T* data, const std::int64_t (&place)[3], T* to) const {
    const Taps taps = taps_from(place[2]);
    const std::int64_t dilation = axes_[2].dilation;
    const std::int64_t lines = axes_[0].kernel * axes_[1].kernel;
    for (std::int64_t i = 0; i < channels_ * lines; ++i) {
        const T* line = line_of_tap(data + i / lines * channel_, i % lines, place);
        if (line == nullptr) {
            to = std::fill_n(to, axes_[2].kernel, T{0});
            continue;
        }
        line += place[2] + taps.before * dilation;
        to = std::fill_n(to, taps.before, T{0});
        for (std::int64_t k = 0; k < taps.inside; ++k) *to++ = line[k * dilation];
        to = std::fill_n(to, taps.behind, T{0});
    }
    return to;
}

template <typename T>
void Windows::gather_rows(const T* data, T* rows) const {
    const auto& [z, y, x] = axes_;
    for (std::int64_t i = 0; i < z.output; ++i) {
        for (std::int64_t j = 0; j < y.output; ++j) {
            for (std::int64_t k = 0; k < x.output; ++k) {
                rows = gather_window(data,
                                     {i * z.stride - z.pad_begin, j * y.stride - y.pad_begin,
                                      k * x.stride - x.pad_begin},
                                     rows);
            }
        }
    }
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
template void Windows::gather_rows(const float*, float*) const;
template void Windows::gather_rows(const double*, double*) const;

}  // namespace rondo::cpu
