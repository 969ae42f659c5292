#include "plugins/cpu/kernels/window/windows.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/window/copy_line.hpp"

namespace rondo::cpu {
Windows::Windows(const ConvolutionSizes& sizes) : axes_(sizes.axes), channels_(sizes.channels) {
    bool meet_data_as_they_lie = true;
    for (const auto& axis : axes_) {
        size_ *= axis.kernel;
        channel_ *= axis.input;
        positions_ *= axis.output;
        meet_data_as_they_lie = meet_data_as_they_lie && axis.kernel == 1 && axis.stride == 1 &&
                                axis.input == axis.output && axis.pad_begin == 0;
    }
    is_data_ = meet_data_as_they_lie && positions_ == 1;
    if (meet_data_as_they_lie) axes_ = {WindowAxis{}, WindowAxis{}, {positions_, 1, positions_}};
    size_ *= channels_;
}

// Positions beside each other in a line of the output.
struct Windows::Piece {
    std::int64_t place[3];  // what tap 0 of each axis meets at the first of them
    std::int64_t count;
};

// The line of the data that taps along x meet, which are `tap` along z and y, or null in the
// padding.
template <typename T>
const T* Windows::line_of_tap(const T* channel, const std::int64_t (&tap)[2],
                              const std::int64_t (&place)[3]) const {
    const std::int64_t y = place[1] + tap[1] * axes_[1].dilation;
    const std::int64_t z = place[0] + tap[0] * axes_[0].dilation;
    if (y < 0 || y >= axes_[1].input || z < 0 || z >= axes_[0].input) return nullptr;
    return channel + (z * axes_[1].input + y) * axes_[2].input;
}

// Calls each(line) for the lines of all channels that a window meets, of the first channel first.
template <typename T, typename Each>
void Windows::for_each_line(const T* data, const std::int64_t (&place)[3], Each each) const {
    if (axes_[0].kernel * axes_[1].kernel == 1) {
        const T* line = line_of_tap(data, {0, 0}, place);
        for (std::int64_t c = 0; c < channels_; ++c) {
            each(line);
            if (line != nullptr) line += channel_;
        }
        return;
    }
    for (std::int64_t c = 0; c < channels_; ++c, data += channel_) {
        for (std::int64_t i = 0; i < axes_[0].kernel; ++i) {
            for (std::int64_t j = 0; j < axes_[1].kernel; ++j) {
                each(line_of_tap(data, {i, j}, place));
            }
        }
    }
}

template <typename T>
void Windows::gather_panel(const T* data, std::int64_t first, std::int64_t count,
                           std::int64_t lanes, T* panel) const {
    const auto& [z, y, x] = axes_;
    for (std::int64_t p = 0; p < count;) {
        const std::int64_t line = (first + p) / x.output, column = (first + p) % x.output;
        const Piece piece{
            {line / y.output * z.stride - z.pad_begin, line % y.output * y.stride - y.pad_begin,
             column * x.stride - x.pad_begin},
            std::min(count - p, x.output - column)};
        gather_piece(data, piece, lanes, panel + p);
        p += piece.count;
    }
    if (count == lanes) return;
    for (std::int64_t k = 0; k < size_; ++k) {
        std::fill_n(panel + k * lanes + count, lanes - count, T{0});
    }
}

// Whether what tap 0 meets lies side by side in a line of the data.
bool Windows::is_inside(const Piece& piece) const {
    const std::int64_t first = piece.place[2];
    return axes_[2].stride == 1 && first >= 0 && first + piece.count <= axes_[2].input;
}

template <typename T>
void Windows::gather_piece(const T* data, const Piece& piece, std::int64_t lanes, T* panel) const {
    if (size_ == channels_) {
        const T* line = line_of_tap(data, {0, 0}, piece.place);
        if (line != nullptr && is_inside(piece)) {
            line += piece.place[2];
            for (std::int64_t c = 0; c < channels_; ++c, line += channel_, panel += lanes) {
                copy_line(line, piece.count, panel);
            }
            return;
        }
    }
    const WindowAxis x = axes_[2];
    const std::int64_t count = piece.count, reach = (count - 1) * x.stride;
    for_each_line(data, piece.place, [&](const T* line) {
        std::int64_t at = piece.place[2];
        for (std::int64_t k = 0; k < x.kernel; ++k, at += x.dilation, panel += lanes) {
            if (line != nullptr && x.stride == 1 && at >= 0 && at + reach < x.input) {
                copy_line(line + at, count, panel);
            } else {
                gather_line(line, at, count, panel);
            }
        }
    });
}

// Elements x, x + stride and so on of a line, which may be null; those outside of it are zeros.
template <typename T>
void Windows::gather_line(const T* line, std::int64_t x, std::int64_t count, T* to) const {
    const std::int64_t stride = axes_[2].stride, input = line == nullptr ? 0 : axes_[2].input;
    for (std::int64_t i = 0; i < count; ++i, x += stride) {
        to[i] = x >= 0 && x < input ? line[x] : T{0};
    }
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

// `place`: what tap 0 of each axis meets. Returns the place behind the window.
template <typename T>
T* Windows::gather_window(const T* data, const std::int64_t (&place)[3], T* to) const {
    const Taps taps = taps_from(place[2]);
    for_each_line(data, place, [&](const T* line) { to = gather_taps(line, place[2], taps, to); });
    return to;
}

// The taps of a line, which may be null. Returns the place behind them.
template <typename T>
T* Windows::gather_taps(const T* line, std::int64_t x, const Taps& taps, T* to) const {
    if (line == nullptr) return std::fill_n(to, axes_[2].kernel, T{0});
    const std::int64_t dilation = axes_[2].dilation;
    line += x + taps.before * dilation;
    fill_line(T{0}, taps.before, to);
    to += taps.before;
    if (dilation == 1) {
        copy_line(line, taps.inside, to);
    } else {
        for (std::int64_t k = 0; k < taps.inside; ++k) to[k] = line[k * dilation];
    }
    to += taps.inside;
    fill_line(T{0}, taps.behind, to);
    return to + taps.behind;
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

template void Windows::gather_panel(const float*, std::int64_t, std::int64_t, std::int64_t,
                                    float*) const;
template void Windows::gather_panel(const double*, std::int64_t, std::int64_t, std::int64_t,
                                    double*) const;
template void Windows::gather_rows(const float*, float*) const;
template void Windows::gather_rows(const double*, double*) const;

}  // namespace rondo::cpu
