// One time step of a recurrent cell: packed weights, arguments, and the interface of its variants.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/aligned_buffer.hpp"
#include "plugins/cpu/kernels/cell_config.hpp"

namespace rondo::cpu {

/// A cell's sizes in blocks of `lanes` hidden units.
struct CellShape {
    std::int64_t hidden = 0;
    std::int64_t blocks = 0;
    std::int64_t padded = 0;     ///< blocks * lanes: floats in a row of state
    std::int64_t projected = 0;  ///< blocks * gates * lanes: floats in a row of projected gates
    int lanes = 0;
    int gates = 0;
};

CellShape cell_shape(const CellConfig& config, int lanes);

/// Recurrent weights as panels [block][K = H][gates * lanes]; padding is zero.
struct PackedCell {
    /// All gates; for `gru` z and r only.
    AlignedBuffer recurrent;
    /// h~ of `gru`, whose product needs r first.
    AlignedBuffer candidate;
    /// Peepholes as [block][f, i, o][lanes].
    AlignedBuffer peephole;
    /// Rbh of `gru_linear_before_reset`: [block][lanes].
    AlignedBuffer recurrent_bias;
};

/// r: [G*H,H] of one direction, rb: [4H] or null, p: [3H] or null.
PackedCell pack_cell(const CellConfig& config, int lanes, const float* r, const float* rb,
                     const float* p);

/// One step for rows [0, rows) and blocks [block_begin, block_end). Pointers are to block 0.
/// State rows are `CellShape::padded` floats apart, rows of `projected` CellShape::projected
/// floats; all start on 64-byte boundaries. Blocks may run in any order and on any thread.
struct CellStepArgs {
    std::int64_t rows = 0;
    std::int64_t block_begin = 0;
    std::int64_t block_end = 0;
    const PackedCell* weights = nullptr;
    const float* projected = nullptr;  ///< x W + b, [rows][block][gate][lanes]
    const float* h_prev = nullptr;     ///< H of the step before; all blocks
    float* h_next = nullptr;           ///< H of this step; never h_prev
    float* c = nullptr;                ///< LSTM: C, updated in place
    float* update_gate = nullptr;      ///< gru: z, from phase 0 to phase 1
    float* reset_hidden = nullptr;     ///< gru: r H, from phase 0 to phase 1
    float* const* y = nullptr;         ///< per row where [H] floats of Y go; null = not wanted
};

/// One variant of a cell. Immutable, usable from many threads, independent of N and T.
class CellKernel {
public:
    CellKernel(const CellConfig& config, int lanes)
        : config_(config), shape_(cell_shape(config, lanes)) {}
    virtual ~CellKernel() = default;
    CellKernel(const CellKernel&) = delete;
    CellKernel& operator=(const CellKernel&) = delete;

    const CellConfig& config() const { return config_; }
    const CellShape& shape() const { return shape_; }

    /// A step is run(0) for all blocks, then, for `gru`, run(1) for all blocks.
    int phases() const { return config_.kind == CellKind::gru ? 2 : 1; }
    virtual void run(int phase, const CellStepArgs& args) const = 0;

private:
    CellConfig config_;
    CellShape shape_;
};

}  // namespace rondo::cpu
