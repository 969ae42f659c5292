// Matrix product of 8-bit integers with zero points, exact in 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

inline std::int64_t byte_panels(std::int64_t n) { return (n + kByteLanes - 1) / kByteLanes; }

/// A loaded row: the sum of its numbers less the zero point, modulo 2^32, and the zero point as the
/// kernel's form of the row has it.
struct ByteRow {
    std::int32_t sum = 0;
    std::int32_t zero = 0;
};

/// One variant of the product; each packs B and loads rows of A in a form of its own. Immutable,
/// usable from many threads. Every variant gives the same: i32, or such numbers rounded to f32.
class ByteKernel {
public:
    virtual ~ByteKernel() = default;

    virtual const char* name() const = 0;

    /// Bytes of a panel of B, 16 columns.
    virtual std::int64_t panel_bytes(std::int64_t k) const = 0;
    std::size_t packed_bytes(std::int64_t k, std::int64_t n) const {
        return static_cast<std::size_t>(byte_panels(n) * panel_bytes(k));
    }
    /// Some panels of B, [k,n] and row-major, into `to`: packed_bytes() on a 64-byte boundary.
    virtual void pack(const ByteData& b, std::int64_t k, std::int64_t n, void* to,
                      Range panels) const = 0;

    /// Bytes of a loaded row, and how many of them run() may read where there are m.
    virtual std::int64_t row_bytes(std::int64_t k) const = 0;
    virtual std::int64_t rows_read(std::int64_t m) const { return m; }
    virtual ByteRow load_row(const ByteData& a, std::int64_t k, std::int32_t zero_point,
                             void* to) const = 0;

    /// Some rows and panels of the product.
    virtual void run(const ByteGemm& gemm, Range rows, Range panels) const = 0;
};

/// Memory of a panel.
struct BytePanel {
    void* data = nullptr;
    std::int64_t bytes = 0;
};

/// `columns` columns of B, [k] rows of `n` bytes, as a panel in fours: the sums of the columns, 16
/// of 32 bits, then [k / 4][16][4] with zeros for what B lacks. Bytes that are unsigned become
/// signed, less 128.
void pack_byte_fours(const ByteData& b, std::int64_t k, std::int64_t n, std::int64_t columns,
                     const BytePanel& to);

/// Numbers of 16 bits less the zero point, in pairs.
std::unique_ptr<ByteKernel> make_byte_pairs(Isa isa, ElementType result);

}  // namespace rondo::cpu
