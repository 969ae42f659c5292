// Matrix product with a packed right-hand side: input projections, MatMul, Convolution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/aligned_buffer.hpp"
#include "plugins/cpu/kernels/cpu_features.hpp"
#include "plugins/cpu/kernels/team.hpp"

namespace rondo::cpu {

/// B as the user has it: element (k, n) is data[k * row_stride + n * column_stride].
/// Row-major [K,N]: strides (N, 1). Transposed [N,K]: strides (1, K).
struct MatrixView {
    const float* data = nullptr;
    std::int64_t k = 0;
    std::int64_t n = 0;
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 1;
};

MatrixView row_major(const float* data, std::int64_t k, std::int64_t n);
MatrixView transposed(const float* data, std::int64_t k, std::int64_t n);

/// B packed for one kernel: panels [ceil(N/lanes)][K][lanes], zero padded, and the padded bias.
/// Points to memory owned by someone else (a PackedMatrix or the caller's scratch).
struct PackedView {
    std::int64_t k = 0;
    std::int64_t n = 0;
    const float* panels = nullptr;
    const float* bias = nullptr;  ///< ceil(N/lanes) * lanes floats; zeros where there is no bias
};

/// B packed into memory of its own.
struct PackedMatrix {
    PackedView view;
    AlignedBuffer memory;
};

/// C[m][n] = start + sum over k, in order, of fma(A[m][k], B[k][n]), start = bias[n] or old
/// C[m][n]. Strides count floats. Rows are `a + m * a_stride`, or a_rows[m] where a_rows is given;
/// C alike. C must not overlap A or B.
struct GemmArgs {
    std::int64_t m = 0;
    const float* a = nullptr;
    std::int64_t a_stride = 0;
    const float* const* a_rows = nullptr;
    float* c = nullptr;
    std::int64_t c_stride = 0;
    float* const* c_rows = nullptr;
    bool accumulate = false;  ///< continue the chain from C instead of starting with the bias
};

/// Panels [begin, end) of a packed matrix.
struct PanelRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// One variant of the product. Immutable, usable from many threads; independent of M, N and K.
/// Every element is one chain of fused multiply-adds in the order of k: the same bits from every
/// variant, for any split of rows, columns or (with accumulate) of k.
class GemmKernel {
public:
    explicit GemmKernel(int lanes) : lanes_(lanes) {}
    virtual ~GemmKernel() = default;
    GemmKernel(const GemmKernel&) = delete;
    GemmKernel& operator=(const GemmKernel&) = delete;

    /// Packs once for constant B. `bias`: [N] or null.
    PackedMatrix pack(const MatrixView& b, const float* bias = nullptr) const;

    /// Floats that pack_into() writes for a [k,n] matrix.
    std::size_t packed_size(std::int64_t k, std::int64_t n) const;

    /// Packs into `memory` (packed_size floats, on a 64-byte boundary), for B that changes.
    PackedView pack_into(const MatrixView& b, const float* bias, float* memory) const;

    /// On the calling thread.
    void run(const PackedView& b, const GemmArgs& args) const;

    /// Shares rows and columns among the team where that pays.
    void run(const PackedView& b, const GemmArgs& args, Team& team) const;

    int lanes() const { return lanes_; }
    std::int64_t panels(std::int64_t n) const { return (n + lanes_ - 1) / lanes_; }

    /// All rows of args, some panels only. For callers that split the work themselves.
    virtual void run_panels(const PackedView& b, const GemmArgs& args, PanelRange range) const = 0;

private:
    int lanes_;
};

/// The kernel of the best instruction set up to `isa` (one per process would do: it has no sizes).
std::unique_ptr<GemmKernel> make_gemm_kernel(Isa isa);

}  // namespace rondo::cpu
