// Declares one time step of a recurrent cell: packed weights, arguments, interface of its variants.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/cell/cell_config.hpp"
#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"
#include "plugins/cpu/kernels/product/sparse_panels.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {

/// A cell's sizes in blocks of `lanes` hidden units.
struct CellShape {
    std::int64_t hidden = 0;
    std::int64_t blocks = 0;
    std::int64_t padded = 0;        ///< blocks * lanes: scalars in a row of state
    std::int64_t projected = 0;     ///< blocks * gates * lanes: scalars in a row of projected gates
    std::int64_t scalar_bytes = 4;  ///< 8 where the cell computes in double
    std::int64_t weight_bytes = 4;  ///< of an element of R
    std::int64_t k = 0;      ///< numbers of a row of R in memory: hidden, or more in whole steps
    std::int64_t steps = 0;  ///< that products take: hidden / together, rounded up
    int lanes = 0;
    int gates = 0;
    int together = 1;  ///< how many numbers of k lie side by side, see numbers_of_step()
};

/// `padded_to`: of how many numbers of k panels hold a multiple.
CellShape cell_shape(const CellConfig& config, int lanes, int together, int padded_to = 1);

/// Weights of one direction as the user has them: r: [G*H,H] of the cell's weight type. The vectors
/// are of type `vectors`: b: [G*H] ([4H]) or null, p: [3H] or null. For integers: r_scale, [G*H]
/// finite scales of their rows, or null for 1.
struct CellWeights {
    const void* r = nullptr;
    const void* b = nullptr;
    const void* p = nullptr;
    const float* r_scale = nullptr;
    ElementType vectors = ElementType::f32;
};

/// Recurrent weights as panels [block][K = H][gates * lanes] of the cell's weight type, where
/// CellShape::together numbers of K lie side by side, and planes as GemmKernel has them; vectors as
/// scalars; padding is zero. Points
/// to memory owned by someone else; null where a cell has none.
struct PackedCell {
    /// All gates; for `gru` z and r only, or z where r has no rows.
    const void* recurrent = nullptr;
    /// h~ of `gru`, whose product needs r first.
    const void* candidate = nullptr;
    /// Peepholes as [block][f, i, o][lanes].
    const void* peephole = nullptr;
    /// Rbh of `gru_linear_before_reset`: [block][lanes].
    const void* recurrent_bias = nullptr;
    /// The scales of the rows of R, for integers: [block][gate][lanes].
    const float* scales = nullptr;
    /// The same: the sums of the rows, [block][gate][plane][lanes].
    const std::int32_t* sums = nullptr;
    /// Blocks of `recurrent` and `candidate` that aren't zeros, where skipping the others pays.
    const SparsePanels* sparse_recurrent = nullptr;
    const SparsePanels* sparse_candidate = nullptr;
};

/// The panels of the candidate, or of all other gates.
DensePanels dense_panels(const CellConfig& config, const CellShape& shape, const PackedCell& packed,
                         bool candidate);

std::size_t packed_cell_bytes(const CellConfig& config, const CellShape& shape);

/// Packs some blocks of hidden units, on any thread, into `memory`: packed_cell_bytes() on a
/// 64-byte boundary.
void pack_cell(const CellConfig& config, const CellShape& shape, const CellWeights& weights,
               void* memory, Range blocks);

/// Scales of rows of W or R, [G*H], or null for 1, as [block][gate][lanes]; zeros follow the last
/// unit.
void pack_scales(const CellShape& shape, const float* scales, Range blocks, float* out);

/// Where pack_cell() puts them.
PackedCell packed_cell_at(const CellConfig& config, const CellShape& shape, const void* memory);

/// Steps whose inputs a look-ahead projects at once.
constexpr int kLookAheadSteps = 8;

/// Look-ahead: a step of one row also computes products of W for kLookAheadSteps later steps. Such
/// a step is bound by reading R from the cache, and has spare multiply-add throughput.
struct alignas(kCacheLine) LookAhead {
    const void* panels = nullptr;  ///< of W, packed for the product: [panel][K][lanes]
    const void* bias = nullptr;    ///< [panel][lanes]
    std::int64_t k = 0;            ///< input size
    const void* x = nullptr;       ///< the first of kLookAheadSteps rows
    std::int64_t x_stride = 0;     ///< between rows, in bytes; may be negative
    void* projected = nullptr;     ///< where the first row of results goes; rows as in a step
    std::int64_t next = 0;         ///< the next panel to compute; the kernel counts it up
    std::int64_t end = 0;          ///< one past the last panel
    std::int64_t first_step = 0;   ///< for the caller: the step of the first row
};

/// The most rows of a step with a fused input. With more of them the product comes first: a panel
/// of W, which the first-level cache holds, then serves all.
constexpr int kMaxFusedRows = 4;

/// Fused input: rows of X, kMaxFusedRows at most, whose products with W a step computes itself,
/// ahead of those with R.
struct FusedInput {
    const void* panels = nullptr;       ///< of W, packed for the product: [panel][K][lanes]
    const void* bias = nullptr;         ///< [panel][lanes]
    const void* const* rows = nullptr;  ///< per row: [I] scalars
};

/// One step for rows [0, rows) and blocks [block_begin, block_end). Pointers are to block 0, of
/// scalars: float, or double where the cell's weights are. State rows are `CellShape::padded`
/// scalars apart, rows of `projected` CellShape::projected; all start on 64-byte boundaries. Blocks
/// may run in any order and on any thread.
struct CellStepArgs {  // lint: allow(members): the arguments of one call
    std::int64_t rows = 0;
    std::int64_t block_begin = 0;
    std::int64_t block_end = 0;
    /// From the last block to the first. Steps take turns, so that each begins with the weights
    /// that the one before has left in the cache.
    bool backward = false;
    const PackedCell* weights = nullptr;
    /// x W + b, [rows][block][gate][lanes].
    void* projected = nullptr;
    /// See CellKernel::can_fuse_input(): the step computes what `projected` would hold, and may
    /// write some of it there. Null = `projected` holds it, and is only read.
    const FusedInput* input = nullptr;
    const void* h_prev = nullptr;  ///< H of the step before; all blocks
    void* h_next = nullptr;        ///< H of this step; never h_prev
    void* c = nullptr;             ///< LSTM: C, updated in place
    void* update_gate = nullptr;   ///< gru: z, from phase 0 to phase 1
    void* reset_hidden = nullptr;  ///< gru: r H, from phase 0 to phase 1
    LookAhead* ahead = nullptr;    ///< see CellKernel::can_look_ahead(); null = none
    void* const* y = nullptr;      ///< per row where [H] scalars of Y go; null = not wanted
};

/// One variant of a cell. Immutable, usable from many threads, independent of N and T.
class CellKernel {
public:
    CellKernel(const CellConfig& config, int lanes, int together = 1, int padded_to = 1)
        : config_(config), shape_(cell_shape(config, lanes, together, padded_to)) {}
    virtual ~CellKernel() = default;
    CellKernel(const CellKernel&) = delete;
    CellKernel& operator=(const CellKernel&) = delete;

    const CellConfig& config() const { return config_; }
    const CellShape& shape() const { return shape_; }

    /// A step is run(0) for all blocks, then, for `gru`, run(1) for all blocks.
    int phases() const { return phases_of(config_.kind); }
    virtual void run(int phase, const CellStepArgs& args) const = 0;

    /// Whether a step can take CellStepArgs::input, with W of R's type.
    virtual bool can_fuse_input() const { return false; }

    /// Whether phase 0 of a step of one row works on CellStepArgs::ahead, as far as it gets.
    virtual bool can_look_ahead() const { return false; }

private:
    CellConfig config_;
    CellShape shape_;
};

std::unique_ptr<CellKernel> make_plain_cell(const CellConfig& config);

}  // namespace rondo::cpu
