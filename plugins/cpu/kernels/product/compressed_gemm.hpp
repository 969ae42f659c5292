// Products with a right-hand side that stays compressed in memory: bytes with zero points and
// scales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/machine/shared_bytes.hpp"
#include "plugins/cpu/kernels/product/avx_loops.hpp"
#include "plugins/cpu/kernels/product/gemm.hpp"

namespace rondo::cpu {

/// B as a file compresses it: bytes, each (byte - zero point) * scale, rounded to f32 or to f16;
/// the difference is exact in both. Groups of `group` numbers of K have a zero point and a scale of
/// their own: [N][groups], where K is a multiple of `group`. Byte (n, k) is number n * n_stride + k
/// * k_stride.
struct CompressedBytes {
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t group = 0;
    std::int64_t n_stride = 0;
    std::int64_t k_stride = 1;
    const std::uint8_t* bytes = nullptr;
    const float* zeros = nullptr;
    const float* scales = nullptr;
    bool rounds_to_f16 = false;
};

/// The panels of B become f32 a few at a time, in the cache, and are multiplied from there: the
/// bits of the product with the B that a file means. For a single row they do so in registers.
/// Immutable, usable from many threads.
class CompressedGemm {
public:
    /// `bias`: [N] or null.
    CompressedGemm(Isa isa, std::shared_ptr<const GemmKernel> kernel, const CompressedBytes& b,
                   const float* bias);

    /// For calls of so many rows with a team of so many threads.
    std::size_t scratch_bytes(std::int64_t rows, int threads) const;

    /// C = A B + bias, as GemmKernel::run(), of dense rows. Calls work->done() for blocks that
    /// cover C, if there is one. `scratch`: on a 64-byte boundary.
    void run(const GemmArgs& args, Team& team, const BlockWork* work, void* scratch) const;

    std::int64_t k() const { return k_; }
    std::int64_t n() const { return n_; }

private:
    struct Part {
        Range rows, panels;
    };
    std::int64_t groups() const { return group_ == 0 ? 0 : k_ / group_; }
    std::int64_t panels() const { return kernel_->panels(n_); }
    std::int64_t panels_at_once() const;
    std::size_t panel_bytes() const;
    std::size_t widened_bytes() const;  // of a thread
    bool multiplies_in_registers(std::int64_t rows) const {
        return rows == 1 && isa_ != Isa::plain;
    }
    const float* bias() const { return reinterpret_cast<const float*>(memory_.data()); }
    void pack(const CompressedBytes& b, const float* bias);
    /// Group `group` of a panel.
    CompressedPanel part(std::int64_t panel, std::int64_t group) const;
    void widen(std::int64_t panel, float* to) const;
    /// One row and up to kCompressedPanels panels.
    void multiply_row(const float* row, Range panels, float* c) const;
    void run_part(const GemmArgs& args, const Part& part, const BlockWork* work,
                  void* scratch) const;

    Isa isa_;
    std::shared_ptr<const GemmKernel> kernel_;
    std::int64_t n_, k_, group_;
    bool rounds_to_f16_;
    SharedBytes memory_;  // the padded bias, then panels: zeros and scales [group][lanes], bytes
};

}  // namespace rondo::cpu
