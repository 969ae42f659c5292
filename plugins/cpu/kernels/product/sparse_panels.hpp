// Multiplies one row by block-sparse weights, and skips the blocks of zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {

/// A block: so many columns times so many numbers of k.
inline constexpr int kSparseColumns = 8;
inline constexpr int kSparseDepth = 4;

/// Some chains, which are summed side by side: each the blocks of kSparseColumns columns that
/// aren't zeros, in the order of k, and blocks of zeros if others are longer. After the header come
/// for each block, [step][chain], where its numbers of a row start, u16 in units of
/// sparse_unit_bytes(), then the blocks themselves in the same order, from a cache line on, up to
/// the next group's line.
struct alignas(kCacheLine) SparseGroup {
    static constexpr int kMostChains = 8;

    std::uint32_t places[kMostChains] = {};  ///< bytes from the sums' first to each chain's
    std::uint32_t chains = 0;
    std::uint32_t steps = 0;
    std::uint32_t blocks = 0;  ///< bytes from here to the blocks
    std::uint32_t next = 0;    ///< bytes from here to the next group
};

struct SparseArgs {
    const SparseGroup* first;
    std::int64_t groups;
    const void* row;  ///< as products of the format read it
    void* sums;       ///< f32 or i32: [unit][vector][sum][lanes] from the groups' first unit on
};

/// Adds the products of a row and some groups to their sums. Immutable, usable from many threads.
class SparseKernel {
public:
    virtual ~SparseKernel() = default;
    virtual void add(const SparseArgs& args) const = 0;
};

/// Panels of all weights, as products of the format have them: [unit][k / together][vector][lane]
/// [together], `unit_bytes` from unit to unit. `span`: units that are multiplied together.
struct DensePanels {
    const void* first = nullptr;
    std::int64_t units = 0;
    std::int64_t k = 0;
    std::int64_t unit_bytes = 0;
    int vectors = 1;
    std::int64_t span = 1;
};

/// Columns of a vector of a span: its chains are sorted by their length, so that those of a group
/// are about as long.
inline constexpr int kSparseSpan = 64;

/// Formats whose blocks of zeros can be skipped: f32, and integers of 8 bits.
bool can_be_sparse(const WeightFormat& format);

/// How many chains a group has at most: their sums and operands fit the vector registers.
int sparse_chains(Isa isa, const WeightFormat& format);

/// Bytes that kSparseDepth numbers take in a row, and the unit that places in a row count.
int sparse_row_bytes(Isa isa, const WeightFormat& format);
int sparse_unit_bytes(Isa isa, const WeightFormat& format);

/// The blocks that are no zeros, of weights where skipping the others pays for a single row. Sums
/// are those of the dense panels: of integers exactly; of f32 in all but the sign of a sum that is
/// zero, for rows of finite numbers.
class SparsePanels {
public:
    using KernelMaker = std::shared_ptr<const SparseKernel> (*)(Isa, const WeightFormat&);

    /// None where too few blocks are zeros, or rows can't be read in whole blocks.
    static std::optional<SparsePanels> find(Isa isa, const WeightFormat& format,
                                            const DensePanels& dense, KernelMaker make);

    /// The part of the blocks that is kept, 0 to 1.
    double density() const { return density_; }

    /// Whether so many rows are multiplied faster than by the dense panels.
    bool pays(std::int64_t rows) const;
    /// The whole spans of a range of units; the units before and after them are dense.
    Range covered(Range units) const;

    /// Units that are multiplied together; the last may be fewer.
    std::int64_t span() const { return span_; }
    /// The units of the span that begins with `unit`, a multiple of span().
    Range span_at(std::int64_t unit) const;
    /// Adds a row's products with a span.
    void add(std::int64_t unit, const void* row, void* sums) const;

private:
    friend class SparsePacker;
    SparsePanels() = default;

    struct Span {
        std::int64_t offset;  // of the first group, in bytes
        std::int64_t groups;
    };

    std::shared_ptr<const SparseKernel> kernel_;
    SharedBytes memory_;
    std::vector<Span> spans_;
    std::int64_t units_ = 0;
    std::int64_t span_ = 1;
    double density_ = 1;
    double most_ = 0;  // the density, times rows, up to which it pays
};

/// Most 32-bit sums of a span.
inline constexpr int kMostSparseSums = 2 * 4 * kSparseSpan;

/// Whether all numbers are finite: a zero times another is NaN, and may not be skipped.
bool all_finite(const float* row, std::int64_t count);

}  // namespace rondo::cpu
