// Finds the lines of a channel's data that the taps of a sliding window meet, a tile of the output
// at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"

namespace rondo::cpu {

/// A part of one plane [z, y, x] of the output: `rows` lines of it, and `count` positions of each.
struct TapTile {
    std::int64_t z = 0;
    std::int64_t y = 0;
    std::int64_t rows = 0;
    std::int64_t x = 0;
    std::int64_t count = 0;
};

/// The lines that the taps of an output line meet. The caller owns both arrays, which have room for
/// TapSource::taps() entries after the first `count`.
struct TapList {
    const void** lines = nullptr;
    std::int64_t* numbers = nullptr;  ///< of each tap in the kernel, in row-major order
    std::int64_t count = 0;
};

/// Lines lie side by side for all positions of a tile: where the stride is 1 and nothing is padded
/// they are the data's; else the tile's part of the data is copied, padded, with a line for each
/// remainder of the stride. Taps whose line lies in the padding of the other axes are left out.
/// T: any element type. Immutable.
template <typename T>
class TapSource {
public:
    /// `fill` pads the lines. `channels` are copied together, which bounds the rows of a tile.
    /// `isa`: what copies may use.
    TapSource(const std::array<WindowAxis, 3>& axes, T fill, std::int64_t channels = 1,
              Isa isa = Isa::plain);

    /// Tiles of a plane.
    std::int64_t tiles() const { return axes_[0].output * bands_ * chunks_; }
    TapTile tile(std::int64_t index) const;
    std::int64_t most_rows() const { return rows_; }
    std::int64_t most_count() const { return chunk_; }

    /// Elements of scratch that a channel of a tile takes.
    std::int64_t scratch_elements() const { return axes_[0].kernel * copied_rows_ * row_; }
    /// Taps of a channel.
    std::int64_t taps() const;

    /// Copies what the tile needs of a channel's data to its scratch.
    void open(const TapTile& tile, const T* channel, T* scratch) const;
    /// How many lines of the tile, from `row` on, have the same taps.
    std::int64_t alike(const TapTile& tile, std::int64_t row) const;
    /// Appends the taps of line `row` of the tile to the list.
    void append(const TapTile& tile, std::int64_t row, const T* channel, const T* scratch,
                TapList& list) const;
    /// Elements between the lines that a tap meets in a line of the tile and in the next.
    std::int64_t line_step(const TapTile& tile) const;

private:
    // Input elements along an axis that some output needs; they may lie outside of the data.
    struct Span {
        std::int64_t begin;
        std::int64_t end;
    };
    Span columns_of(const TapTile& tile) const;
    Span rows_of(const TapTile& tile) const;
    bool is_direct(const TapTile& tile) const;
    void copy_rows(const T* from, std::int64_t rows, const Span& columns, T* to) const;
    void copy_lines(const T* from, std::int64_t rows, std::int64_t first, std::int64_t count,
                    T* to) const;

    std::array<WindowAxis, 3> axes_;
    T fill_;
    Isa isa_;
    std::vector<std::int64_t> places_;  // of each tap along x, in a row of copies
    std::int64_t chunk_ = 1;            // positions of a tile
    std::int64_t chunks_ = 1;           // tiles beside each other
    std::int64_t rows_ = 1;             // lines of a tile
    std::int64_t bands_ = 1;            // tiles below each other
    std::int64_t copied_rows_ = 1;
    std::int64_t line_ = 1;  // elements of a line of one remainder
    std::int64_t row_ = 1;   // elements of all lines that a row of the data becomes
};

/// Whether the copies of `channels` channels stay small for windows of these axes.
bool suits_tap_source(const std::array<WindowAxis, 3>& axes, std::int64_t channels);

}  // namespace rondo::cpu
