#include "plugins/cpu/kernels/window/tap_source.hpp"

#include <algorithm>
#include <type_traits>

#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/window/copy_line.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kFewPositions = 64, kManyPositions = 2048;  // of a tile
constexpr std::int64_t kRowElements = 1 << 13;  // of the data for the positions of a tile
constexpr std::int64_t kMostRows = 1 << 12;     // of a tile
constexpr std::int64_t kCopied = 1 << 14;       // elements that a tile of several rows copies
constexpr double kMostCopied = 1 << 19;         // elements that all channels of a line take
constexpr double kMostTaps = 1 << 12;           // of all channels

std::int64_t positions_of_tile(const WindowAxis& x) {
    const std::int64_t fitting = kRowElements / x.stride;
    return std::min(x.output, std::clamp(fitting, kFewPositions, kManyPositions));
}

// Extent of the input that `count` outputs need, gaps included.
template <typename Number>
Number reach_of(const WindowAxis& axis, Number count) {
    return (count - 1) * static_cast<Number>(axis.stride) +
           (static_cast<Number>(axis.kernel) - 1) * static_cast<Number>(axis.dilation) + 1;
}

// Outputs whose input lies in [0, axis.input) for a tap at `shift`: those in [begin, end).
Range inside(std::int64_t shift, std::int64_t stride, std::int64_t input, std::int64_t count) {
    const std::int64_t begin = shift >= 0 ? 0 : std::min(count, divide_up(-shift, stride));
    const std::int64_t end = shift >= input ? 0 : std::min(count, divide_up(input - shift, stride));
    return {begin, std::max(begin, end)};
}

// Every `stride`th element.
template <typename T>
void copy_each(Isa isa, const T* from, std::int64_t stride, std::int64_t count, T* to) {
    if constexpr (std::is_same_v<T, float>) {
        if (stride == 2 && isa == Isa::avx512) return avx::copy_every_second(from, count, to);
    }
    if (stride == 1) {
        copy_line(from, count, to);
    } else if (stride == 2) {
        for (std::int64_t i = 0; i + 1 < count; ++i) to[i] = from[2 * i];
        to[count - 1] = from[2 * (count - 1)];  // apart: the loop may read a pair at a time
    } else {
        for (std::int64_t i = 0; i < count; ++i) to[i] = from[i * stride];
    }
}

}  // namespace

bool suits_tap_source(const std::array<WindowAxis, 3>& axes, std::int64_t channels) {
    const auto& [z, y, x] = axes;
    const double columns = reach_of<double>(x, static_cast<double>(positions_of_tile(x))) +
                           static_cast<double>(x.stride);
    const double rows = std::min(reach_of<double>(y, 1), static_cast<double>(y.input));
    const auto copies = static_cast<double>(z.kernel) * static_cast<double>(channels);
    const double taps = copies * static_cast<double>(y.kernel) * static_cast<double>(x.kernel);
    return copies * rows * columns <= kMostCopied && taps <= kMostTaps;
}

template <typename T>
TapSource<T>::TapSource(const std::array<WindowAxis, 3>& axes, T fill, std::int64_t channels,
                        Isa isa)
    : axes_(axes), fill_(fill), isa_(isa) {
    const WindowAxis &z = axes_[0], &y = axes_[1], &x = axes_[2];
    chunk_ = positions_of_tile(x);
    chunks_ = divide_up(x.output, chunk_);
    line_ = divide_up(reach_of<std::int64_t>(x, chunk_), x.stride);
    row_ = line_ * x.stride;
    const auto rows_for = [&](std::int64_t lines) {
        return std::min(reach_of<std::int64_t>(y, lines), y.input);
    };
    const std::int64_t most = std::min(y.output, kMostRows);
    while (rows_ < most && channels * z.kernel * row_ * rows_for(rows_ + 1) <= kCopied) ++rows_;
    bands_ = divide_up(y.output, rows_);
    copied_rows_ = rows_for(rows_);
    for (std::int64_t tap = 0; tap < x.kernel; ++tap) {
        const std::int64_t shift = tap * x.dilation;
        places_.push_back(shift % x.stride * line_ + shift / x.stride);
    }
}

template <typename T>
TapTile TapSource<T>::tile(std::int64_t index) const {
    TapTile tile;
    tile.x = index % chunks_ * chunk_;
    tile.count = std::min(chunk_, axes_[2].output - tile.x);
    tile.y = index / chunks_ % bands_ * rows_;
    tile.rows = std::min(rows_, axes_[1].output - tile.y);
    tile.z = index / chunks_ / bands_;
    return tile;
}

template <typename T>
std::int64_t TapSource<T>::taps() const {
    return axes_[0].kernel * axes_[1].kernel * axes_[2].kernel;
}

template <typename T>
typename TapSource<T>::Span TapSource<T>::columns_of(const TapTile& tile) const {
    const std::int64_t begin = tile.x * axes_[2].stride - axes_[2].pad_begin;
    return {begin, begin + reach_of(axes_[2], tile.count)};
}

// Those inside of the data.
template <typename T>
typename TapSource<T>::Span TapSource<T>::rows_of(const TapTile& tile) const {
    const WindowAxis& y = axes_[1];
    const std::int64_t begin = tile.y * y.stride - y.pad_begin;
    const std::int64_t first = std::clamp<std::int64_t>(begin, 0, y.input);
    return {first, std::clamp(begin + reach_of(y, tile.rows), first, y.input)};
}

template <typename T>
bool TapSource<T>::is_direct(const TapTile& tile) const {
    const Span columns = columns_of(tile);
    return axes_[2].stride == 1 && columns.begin >= 0 && columns.end <= axes_[2].input;
}

template <typename T>
void TapSource<T>::open(const TapTile& tile, const T* channel, T* scratch) const {
    if (is_direct(tile)) return;
    const Span columns = columns_of(tile), rows = rows_of(tile);
    const WindowAxis &z = axes_[0], &y = axes_[1], &x = axes_[2];
    for (std::int64_t k = 0; k < z.kernel; ++k, scratch += copied_rows_ * row_) {
        const std::int64_t plane = tile.z * z.stride + k * z.dilation - z.pad_begin;
        if (plane < 0 || plane >= z.input) continue;
        copy_rows(channel + (plane * y.input + rows.begin) * x.input, rows.end - rows.begin,
                  columns, scratch);
    }
}

template <typename T>
void TapSource<T>::copy_rows(const T* from, std::int64_t rows, const Span& columns, T* to) const {
    const std::int64_t stride = axes_[2].stride;
    for (std::int64_t rest = 0; rest < stride; ++rest, to += line_) {
        const std::int64_t left = columns.end - columns.begin - rest;
        copy_lines(from, rows, columns.begin + rest, left > 0 ? divide_up(left, stride) : 0, to);
    }
}

// Every `stride`th element of each row from `first` on, which may lie outside of the row.
template <typename T>
void TapSource<T>::copy_lines(const T* from, std::int64_t rows, std::int64_t first,
                              std::int64_t count, T* to) const {
    const std::int64_t stride = axes_[2].stride, input = axes_[2].input;
    const Range data = inside(first, stride, input, count);
    for (std::int64_t row = 0; row < rows; ++row, from += input, to += row_) {
        fill_line(fill_, data.begin, to);
        fill_line(fill_, count - data.end, to + data.end);
        if (!data.empty()) {
            copy_each(isa_, from + first + data.begin * stride, stride, data.size(),
                      to + data.begin);
        }
    }
}

template <typename T>
std::int64_t TapSource<T>::alike(const TapTile& tile, std::int64_t row) const {
    const WindowAxis& y = axes_[1];
    const std::int64_t first = (tile.y + row) * y.stride - y.pad_begin;
    const std::int64_t behind = y.input - (y.kernel - 1) * y.dilation - first;
    if (first < 0 || behind <= 0) return 1;  // some taps lie in the padding
    return std::min(divide_up(behind, y.stride), tile.rows - row);
}

template <typename T>
std::int64_t TapSource<T>::line_step(const TapTile& tile) const {
    return axes_[1].stride * (is_direct(tile) ? axes_[2].input : row_);
}

template <typename T>
void TapSource<T>::append(const TapTile& tile, std::int64_t row, const T* channel, const T* scratch,
                          TapList& list) const {
    const WindowAxis &z = axes_[0], &y = axes_[1], &x = axes_[2];
    const bool direct = is_direct(tile);
    const Span columns = columns_of(tile), rows = rows_of(tile);
    for (std::int64_t kz = 0; kz < z.kernel; ++kz) {
        const std::int64_t plane = tile.z * z.stride + kz * z.dilation - z.pad_begin;
        if (plane < 0 || plane >= z.input) continue;
        for (std::int64_t ky = 0; ky < y.kernel; ++ky) {
            const std::int64_t at = (tile.y + row) * y.stride + ky * y.dilation - y.pad_begin;
            if (at < 0 || at >= y.input) continue;
            const T* line = direct ? channel + (plane * y.input + at) * x.input + columns.begin
                                   : scratch + (kz * copied_rows_ + at - rows.begin) * row_;
            for (std::int64_t kx = 0; kx < x.kernel; ++kx) {
                list.numbers[list.count] = (kz * y.kernel + ky) * x.kernel + kx;
                list.lines[list.count++] = line + places_[static_cast<std::size_t>(kx)];
            }
        }
    }
}

template class TapSource<double>;
template class TapSource<float>;
template class TapSource<std::int64_t>;
template class TapSource<std::int32_t>;
template class TapSource<std::int16_t>;
template class TapSource<std::int8_t>;
template class TapSource<std::uint64_t>;
template class TapSource<std::uint32_t>;
template class TapSource<std::uint16_t>;
template class TapSource<std::uint8_t>;

}  // namespace rondo::cpu
