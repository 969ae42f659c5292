#include "plugins/cpu/kernels/window/windows.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

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

// The piece from there on, of at most so many positions.
Windows::Piece Windows::piece_at(std::int64_t position, std::int64_t most) const {
    const auto& [z, y, x] = axes_;
    const std::int64_t line = position / x.output, column = position % x.output;
    return {{line / y.output * z.stride - z.pad_begin, line % y.output * y.stride - y.pad_begin,
             column * x.stride - x.pad_begin},
            std::min(most, x.output - column)};
}

// Whether the taps of a channel are few and the positions lie in few lines.
bool Windows::gather_in_vectors(const float* data, std::int64_t first, std::int64_t count,
                                float* panel) const {
    constexpr std::int64_t kMostTaps = 64;
    const WindowAxis& x = axes_[2];
    const std::int64_t lines = axes_[0].kernel * axes_[1].kernel;
    if (x.stride != 1 || lines * x.kernel > kMostTaps) return false;
    avx::GatheredTap taps[kMostTaps];
    int pieces = 0;
    for (std::int64_t p = 0; p < count; ++pieces) {
        if (pieces == avx::kMostPieces) return false;
        const Piece piece = piece_at(first + p, count - p);
        for (std::int64_t line = 0; line < lines; ++line) {
            const std::int64_t tap[2] = {line / axes_[1].kernel, line % axes_[1].kernel};
            const float* from = line_of_tap(data, tap, piece.place);
            for (std::int64_t k = 0; k < x.kernel; ++k) {
                const std::int64_t at = piece.place[2] + k * x.dilation;
                // Lanes of the piece that the data has.
                const std::int64_t begin = p + std::clamp<std::int64_t>(-at, 0, piece.count);
                const std::int64_t end =
                    p + std::clamp<std::int64_t>(x.input - at, begin - p, piece.count);
                avx::GatheredTap& gathered = taps[line * x.kernel + k];
                gathered.place[pieces] = from == nullptr ? 0 : from - data + at - p;
                gathered.lanes[pieces] =
                    static_cast<std::uint16_t>(from == nullptr ? 0 : (1u << end) - (1u << begin));
            }
        }
        p += piece.count;
    }
    avx::gather_taps(data, channels_, channel_, {taps, static_cast<std::size_t>(lines * x.kernel)},
                     pieces, panel);
    return true;
}

template <typename T>
void Windows::gather_panel(const T* data, std::int64_t first, std::int64_t count,
                           std::int64_t lanes, T* panel) const {
    if constexpr (std::is_same_v<T, float>) {
        // Vectors of 16 are those of AVX-512.
        if (lanes == 16 && gather_in_vectors(data, first, count, panel)) return;
    }
    for (std::int64_t p = 0; p < count;) {
        const Piece piece = piece_at(first + p, count - p);
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

// Taps of a line: the first ones before the data, those inside of it, and the rest after it.
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
