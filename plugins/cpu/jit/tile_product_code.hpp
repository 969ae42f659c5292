// Products in the processor's tiles (AMX): rounded rows times panels, into sums in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "plugins/cpu/jit/jit_base.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu::jit {

/// Strides count bytes.
struct TileProductArgs {
    std::int64_t steps;  ///< of tile_numbers() numbers of k
    const void* rows;    ///< [row][step][plane][64 bytes]; 16 or 32 can be read
    std::int64_t row_stride;
    const void* panels;          ///< the first vector: [k / together][..][plane][16][together]
    std::int64_t panel_stride;   ///< from one step of `together` numbers to the next
    std::int64_t vector_stride;  ///< from vector to vector
    /// bf16: what sums start from, f32, [row][vector][16]; integers start from 0.
    const void* start;
    std::int64_t start_stride;  ///< from row to row; 0: the same for all
    void* sums;                 ///< i32: [row][vector][sum][16], or f32: [row][vector][16]
    std::int64_t sums_stride;   ///< from row to row
};

/// One or two tiles of 16 rows times 1, 2 or 4 vectors of 16 columns, all sums in tiles.
class TileProductCode final : public JitBase {
public:
    static constexpr int kRows = 16;
    static constexpr int kMostRows = 2 * kRows;
    static constexpr int kMostVectors = 4;
    static constexpr int kMostSums = 4;  // tiles of sums
    /// With fewer rows than this the products of vectors are as fast.
    static constexpr std::int64_t kFewestRows = 4;
    static constexpr std::int64_t kFewestNumbers = 16;  // of k

    explicit TileProductCode(const WeightFormat& format);

    /// The most tiles of rows, 1 or 2, and how many of these rows are multiplied at once.
    int row_tiles() const;
    /// Rows of one product at most.
    std::int64_t rows_at_once() const { return std::int64_t{row_tiles()} * kRows; }
    /// Rows for which weights of so many bytes are read: where these come from far away, as many as
    /// fit; else as few as one product takes.
    std::int64_t most_rows(const QuantizedRows& rows, std::int64_t weight_bytes) const;
    /// The most vectors for so many tiles of rows.
    int vectors(int row_tiles) const;

    const WeightFormat& format() const { return format_; }

    /// Whether `rows` rows of k numbers are worth it, and 16 of them fit.
    bool pays(std::int64_t rows, std::int64_t k) const;

    /// Before the first product of a thread, and after the last.
    void begin() const { begin_(nullptr); }
    void end() const { end_(nullptr); }
    void multiply(int row_tiles, int vectors, TileProductArgs& args) const {
        functions_[row_tiles][vectors](&args);
    }

private:
    using Function = void (*)(void*);
    class Product;

    const WeightFormat format_;
    Function begin_ = nullptr, end_ = nullptr;
    Function functions_[3][kMostVectors + 1] = {};
};

/// Whether products of such weights can use tiles.
bool uses_tiles(Isa isa, const WeightFormat& format);

/// How many rows at once are finished from sums in memory: those of tiles, or the one row of
/// block-sparse weights.
int rows_to_finish(Isa isa, const WeightFormat& format);

/// Rows that a product rounds and multiplies.
struct RowsToQuantize {
    Isa isa;
    WeightFormat format;
    std::int64_t count;
    std::int64_t k;
    std::int64_t weight_bytes;  ///< that all rows meet
};

/// Rounds row_at(i) for all rows, as many at a time as a product takes, and calls run(first,
/// count, rows, in tiles) for each group. `tiles`: empty where products can't use them.
template <typename RowAt, typename Run>
void for_each_quantized(const RowsToQuantize& all, const std::optional<TileProductCode>& tiles,
                        RowAt row_at, Run run) {
    const bool in_tiles = tiles && tiles->pays(all.count, all.k);
    QuantizedRows rows(all.isa, all.format,
                       in_tiles ? tile_numbers(all.format) : numbers_of_step(all.isa, all.format),
                       all.k);
    const std::int64_t most = in_tiles ? tiles->most_rows(rows, all.weight_bytes) : rows.capacity();
    if (in_tiles) tiles->begin();
    for (std::int64_t first = 0; first < all.count; first += most) {
        const std::int64_t count = std::min(most, all.count - first);
        for (std::int64_t i = 0; i < count; ++i) rows.load(i, row_at(first + i));
        run(first, count, rows, in_tiles);
    }
    if (in_tiles) tiles->end();
}

/// Rows in steps of tile_numbers(), of which whole groups of 16 can be read; the stride counts
/// bytes.
struct TileRows {
    const void* first = nullptr;
    std::int64_t stride = 0;
};

/// Panels of weights of the same k; strides count bytes, see TileProductArgs.
struct TilePanels {
    std::int64_t k = 0;
    const void* first = nullptr;
    std::int64_t panel_stride = 0;
    std::int64_t vector_stride = 0;
};

/// The left side of products, and, of bf16, what their sums start from: f32, [row][vector][16].
struct TileOperands {
    TileRows rows;
    std::int64_t count;
    TileRows start;
};

/// Where sums go, [row][vector][sum][16]; the stride counts bytes.
struct TileTarget {
    void* first;
    std::int64_t stride;
};

/// Products into `to`: whole tiles of rows are read and written.
void multiply_tiles(const TileProductCode& tiles, const TileOperands& operands, int vectors,
                    const TilePanels& panels, const TileTarget& to);

/// Sums of some rows and vectors, [row][vector][sum][16]; small enough for the stack.
class TileSums {
public:
    /// The first `count` of the rows times `vectors` vectors, of integers.
    void multiply(const TileProductCode& tiles, const TileRows& rows, std::int64_t count,
                  int vectors, const TilePanels& panels);

    /// For so many vectors of bf16: add() then computes some of them.
    void begin(int vectors);
    void add(const TileProductCode& tiles, const TileOperands& operands, Range vectors,
             const TilePanels& panels);

    const std::int32_t* row(std::int64_t index) const {
        return sums_ + index * stride_ / static_cast<std::int64_t>(sizeof(std::int32_t));
    }
    std::int64_t stride() const { return stride_; }

private:
    static constexpr int kMostOfRow = 3 * 4 * 16;  // sums, vectors, columns

    std::int64_t stride_ = 0;  // of rows, in bytes
    alignas(kCacheLine) std::int32_t sums_[TileProductCode::kMostRows * kMostOfRow];
};

}  // namespace rondo::cpu::jit
