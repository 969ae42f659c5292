// Multiplies matrices with a packed right-hand side: input projections, MatMul, Convolution.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/support/function_ref.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"
#include "plugins/cpu/kernels/product/weight_format.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"

namespace rondo::cpu {

/// B as the user has it, of the kernel's weight type: element (k, n) is number
/// k * row_stride + n * column_stride. Row-major [K,N]: strides (N, 1). Transposed [N,K]: (1, K).
struct MatrixView {
    const void* data = nullptr;
    std::int64_t k = 0;
    std::int64_t n = 0;
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 1;
};

MatrixView row_major(const void* data, std::int64_t k, std::int64_t n);
MatrixView transposed(const void* data, std::int64_t k, std::int64_t n);

/// B packed for one kernel: panels [ceil(N/lanes)][K][lanes] of its weight type, zero padded, and
/// the padded bias. Integers lie `together` numbers of K side by side in a lane:
/// [step][plane][lane] [together]. The memory belongs to a PackedMatrix or is scratch.
struct PackedView {
    std::int64_t k = 0;
    std::int64_t n = 0;
    const void* panels = nullptr;
    const void* bias = nullptr;     ///< ceil(N/lanes) * lanes scalars; zeros where there is no bias
    const float* scales = nullptr;  ///< of each column of integers, as many
    const std::int32_t* sums = nullptr;  ///< the same: [panel][plane][lane]
    /// Blocks that aren't zeros, where skipping the others pays.
    const SparsePanels* sparse = nullptr;
};

/// B packed into memory of its own, or of equal ones.
struct PackedMatrix {
    PackedView view;
    SharedBytes memory;
};

/// C[m][n] = bias[n] + sum over k, in order, of fma(A[m][k], B[k][n]). A, C and the bias hold
/// scalars of the kernel's precision; strides count these. Rows of A are `a + m * a_stride`, or
/// a_rows[m] where a_rows is given. C must not overlap A or B.
struct GemmArgs {
    std::int64_t m = 0;
    const void* a = nullptr;
    std::int64_t a_stride = 0;
    const void* const* a_rows = nullptr;
    void* c = nullptr;
    std::int64_t c_stride = 0;
};

/// Work on blocks of C: done() is called with rows and columns, and takes as long as the product
/// takes for `element_flops` operations an element.
struct BlockWork {
    FunctionRef<void(Range rows, Range columns)> done;
    double element_flops = 0;
};

/// A product splits its work where each thread gets so many operations: about 10 us at 50 GFLOP/s.
inline constexpr double kFlopsWorthAThread = 5e5;

/// One variant of the product. Immutable, usable from many threads; independent of M, N and K.
/// Every element is one chain of fused multiply-adds in the order of k: the same bits from every
/// variant, for any split of rows or columns (except for the sign of a zero where B is
/// block-sparse). B may be f16 or bf16: it is widened in registers, and the result is that of the
/// f32 kernel on the widened B. B of integers is multiplied by rows of A that quantize_row()
/// quantises: C = fma(scale of the row * the exact sum, scale of the column, bias). K must be no
/// more than kMaxQuantized, and columns contiguous. A sum of several powers of 256 becomes f32 from
/// the greatest power down: fma(sum so far, 256, the next).
/// B of kBf16 is multiplied by rows of A that round_to_bf16() rounds, in the order that
/// WeightFormat says, from the bias on.
class GemmKernel {
public:
    /// `together`: see numbers_of_step().
    /// `padded_to`: numbers of K of which panels hold a multiple; at least `together`.
    GemmKernel(int lanes, const WeightFormat& format, int together = 1, int padded_to = 1)
        : lanes_(lanes),
          together_(together),
          padded_to_(std::max(together, padded_to)),
          format_(format) {}
    virtual ~GemmKernel() = default;
    GemmKernel(const GemmKernel&) = delete;
    GemmKernel& operator=(const GemmKernel&) = delete;

    /// Packs once for constant B. `bias`: [N] scalars or null; `scales`: [N] of integers, or null
    /// for 1.
    PackedMatrix pack(const MatrixView& b, const void* bias = nullptr,
                      const float* scales = nullptr) const;

    /// Bytes that pack_into() writes for a [k,n] matrix.
    std::size_t packed_bytes(std::int64_t k, std::int64_t n) const;

    /// Packs into `memory` (packed_bytes, on a 64-byte boundary), for B that changes.
    PackedView pack_into(const MatrixView& b, const void* bias, void* memory,
                         const float* scales = nullptr) const;

    /// What pack_into() returned for a [k,n] matrix in `memory`.
    PackedView packed_at(std::int64_t k, std::int64_t n, const void* memory) const;

    /// On the calling thread.
    void run(const PackedView& b, const GemmArgs& args) const;

    /// Splits rows or columns among the team where that pays.
    void run(const PackedView& b, const GemmArgs& args, Team& team) const;

    /// The same. Calls done() for blocks that cover C, each right after the calling thread has
    /// written it, while it is in the cache.
    void run(const PackedView& b, const GemmArgs& args, Team& team, const BlockWork& work) const;

    int lanes() const { return lanes_; }
    /// How many numbers of K a step takes, and K as panels hold it.
    int together() const { return together_; }
    std::int64_t padded_k(std::int64_t k) const { return whole_steps(k, padded_to_); }
    std::int64_t panels(std::int64_t n) const { return (n + lanes_ - 1) / lanes_; }
    /// How B is stored; everything else is f64 where this is, else f32.
    const WeightFormat& format() const { return format_; }
    ElementType weights() const { return format_.type; }
    std::int64_t weight_bytes() const { return format_.bytes(); }
    std::int64_t scalar_bytes() const {
        return static_cast<std::int64_t>(bytes_of(format_.precision()));
    }

    /// All rows of args, some panels only. For callers that split the work themselves.
    virtual void run_panels(const PackedView& b, const GemmArgs& args, Range range) const = 0;

private:
    GemmArgs rows_of(const GemmArgs& args, std::int64_t begin, std::int64_t end) const;
    void run_rows(const PackedView& b, const GemmArgs& args, Range rows,
                  const BlockWork& work) const;

    std::size_t vector_bytes(std::int64_t n) const;
    std::size_t scales_bytes(std::int64_t n) const;
    std::size_t sums_bytes(std::int64_t n) const;

    int lanes_;
    int together_;
    int padded_to_;
    WeightFormat format_;
};

/// Row m of A, row m of C.
inline const void* a_row(const GemmArgs& args, std::int64_t m, std::int64_t scalar_bytes) {
    if (args.a_rows != nullptr) return args.a_rows[m];
    return static_cast<const char*>(args.a) + m * args.a_stride * scalar_bytes;
}
inline void* c_row(const GemmArgs& args, std::int64_t m, std::int64_t scalar_bytes) {
    return static_cast<char*>(args.c) + m * args.c_stride * scalar_bytes;
}

/// Lanes of the panels: those of AVX2.
template <typename T>
constexpr int lanes_of_plain() {
    return 32 / static_cast<int>(sizeof(T));
}

/// Columns of a panel of a format that rounds rows, [pair][column or lane]; those of integers form
/// groups of lanes_of_plain<float>(), each with its planes.
struct PlainPanel {
    const WeightFormat& format;
    const void* weights;
    const float* scales;  ///< of columns of integers
    std::int64_t pairs;
};

/// Adds the product of the first of the rows, in pairs, and `width` columns, at most
/// kMaxPlainWidth.
void add_plain_product(const PlainPanel& panel, const QuantizedRows& rows, int width,
                       float* results);
inline constexpr int kMaxPlainWidth = 32;

std::unique_ptr<GemmKernel> make_plain_gemm(const WeightFormat& format);

}  // namespace rondo::cpu
