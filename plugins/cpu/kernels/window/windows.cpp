#include "plugins/cpu/kernels/window/windows.hpp"

#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/product/panel_pack.hpp"
#include "plugins/cpu/kernels/window/copy_line.hpp"

namespace rondo::cpu {
namespace {

// Whether the taps of a channel meet elements side by side, none of which is padding.
bool takes_whole_lines(const std::array<WindowAxis, 3>& axes) {
    const WindowAxis& x = axes[2];
    bool whole = x.dilation == 1 || x.kernel == 1;
    for (const WindowAxis& axis : axes) {
        const std::int64_t last = (axis.output - 1) * axis.stride + axis.kernel;
        whole = whole && axis.pad_begin == 0 && last <= axis.input;
    }
    return whole && axes[0].kernel * axes[1].kernel == 1;
}

}  // namespace

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
    are_columns_ = meet_data_as_they_lie;
    lie_in_data_ = channels_ == 1 && takes_whole_lines(axes_);
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
    const WindowAxis& axis = axes_[2];
    const auto up_to = [&](std::int64_t limit) {
        const std::int64_t taps = (limit - x + axis.dilation - 1) / axis.dilation;
        return limit <= x ? 0 : std::min(taps, axis.kernel);
    };
    const std::int64_t before = up_to(0), inside = std::max(before, up_to(axis.input)) - before;
    return {before, inside, axis.kernel - before - inside};
}

// kTaps elements of each channel, `from` on.
template <int kTaps, typename T>
void Windows::gather_some(const T* from, T* to) const {
    const std::int64_t dilation = axes_[2].dilation, window = size_ / channels_;
    for (std::int64_t c = 0; c < channels_; ++c, from += channel_, to += window) {
        if (dilation == 1) {
            std::memcpy(to, from, kTaps * sizeof(T));  // moves, not a call
        } else {
            for (int k = 0; k < kTaps; ++k) to[k] = from[k * dilation];
        }
    }
}

// The taps of a line in each channel that lie inside; `line`: what tap 0 meets in the first one.
template <typename T>
void Windows::gather_taps(const T* line, const Taps& taps, T* to) const {
    const std::int64_t dilation = axes_[2].dilation, window = size_ / channels_;
    line += taps.before * dilation;
    to += taps.before;
    switch (taps.inside) {
        case 0: return;
        case 1: return gather_some<1>(line, to);
        case 2: return gather_some<2>(line, to);
        case 3: return gather_some<3>(line, to);
        case 4: return gather_some<4>(line, to);
        case 5: return gather_some<5>(line, to);
        default: break;
    }
    for (std::int64_t c = 0; c < channels_; ++c, line += channel_, to += window) {
        if (dilation == 1) {
            copy_line(line, taps.inside, to);
        } else {
            for (std::int64_t k = 0; k < taps.inside; ++k) to[k] = line[k * dilation];
        }
    }
}

// `place`: what tap 0 of each axis meets.
template <typename T>
void Windows::gather_window(const T* data, const std::int64_t (&place)[3], T* to) const {
    const auto& [z, y, x] = axes_;
    const Taps taps = taps_from(place[2]);
    const auto line_of = [&](std::int64_t i, std::int64_t j) {
        return line_of_tap(data, {i, j}, place);
    };
    bool whole = taps.inside == x.kernel;
    for (std::int64_t i = 0; i < z.kernel; ++i) {
        for (std::int64_t j = 0; j < y.kernel; ++j) whole = whole && line_of(i, j) != nullptr;
    }
    if (!whole) std::fill_n(to, size_, T{0});
    for (std::int64_t i = 0; i < z.kernel; ++i) {
        for (std::int64_t j = 0; j < y.kernel; ++j, to += x.kernel) {
            if (const T* line = line_of(i, j)) gather_taps(line + place[2], taps, to);
        }
    }
}

// Calls each(what tap 0 of each axis meets) for all positions.
template <typename Each>
void Windows::for_each_place(Each each) const {
    const auto& [z, y, x] = axes_;
    for (std::int64_t i = 0; i < z.output; ++i) {
        for (std::int64_t j = 0; j < y.output; ++j) {
            for (std::int64_t k = 0; k < x.output; ++k) {
                each({i * z.stride - z.pad_begin, j * y.stride - y.pad_begin,
                      k * x.stride - x.pad_begin});
            }
        }
    }
}

template <typename T>
void Windows::gather_rows(const T* data, T* rows) const {
    if (are_columns_) {
        return pack_panel({data, positions_, 1, channels_, positions_},
                          {rows, channels_, channels_}, sizeof(T));
    }
    for_each_place([&](const std::int64_t(&place)[3]) {
        gather_window(data, place, rows);
        rows += size_;
    });
}

template <typename T>
void Windows::point_to_rows(const T* data, const void** rows) const {
    for_each_place([&](const std::int64_t(&place)[3]) {
        *rows++ = line_of_tap(data, {0, 0}, place) + place[2];
    });
}

template void Windows::gather_panel(const float*, std::int64_t, std::int64_t, std::int64_t,
                                    float*) const;
template void Windows::gather_panel(const double*, std::int64_t, std::int64_t, std::int64_t,
                                    double*) const;
template void Windows::gather_rows(const float*, float*) const;
template void Windows::gather_rows(const double*, double*) const;
template void Windows::point_to_rows(const float*, const void**) const;
template void Windows::point_to_rows(const double*, const void**) const;

}  // namespace rondo::cpu
