// Base of the recurrent cells' generators: product tiles, then an update of each vector of units.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/cpu/jit/bundle_ops.hpp"
#include "plugins/cpu/jit/jit_tile.hpp"
#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

namespace rondo::cpu::jit {

/// What the update of a tile reads beside the products. Strides count bytes.
struct CellTileArgs {
    TileArgs tile;
    std::int64_t row_count;    ///< rows of the tile; counted down by the code
    std::int64_t panel_count;  ///< blocks of the tile
    std::int64_t units;        ///< hidden units from the tile's first to the last there is
    void* const* y;            ///< per row: where the tile's first unit goes; may be null
    const void* h_prev;
    void* h_next;
    void* c;
    void* update_gate;
    void* reset_hidden;
    const void* peephole;
    const void* recurrent_bias;
};

/// Where the second vector of a bundle lies, seen from the first: bytes.
struct BundlePlace {
    int width = 1;
    bool next_row = false;  ///< the same block of the next row; else the next block
    int state = 0;
    int projected = 0;
    int peephole = 0;
};

/// Generates one phase of a cell. A tile stores its accumulators on the stack and jumps to the
/// update, which all tiles share: loops over rows and blocks around emit_update(), two blocks or
/// two rows at a time where that is possible.
class CellCode : public JitTile {
public:
    CellCode(Isa isa, const CellConfig& config, const char* part, int vectors,
             bool first_phase = true);

protected:
    /// Emits the new state of a bundle of vectors of hidden units.
    virtual void emit_update(BundleOps& ops) = 0;

    /// Gate `index` of the products.
    Bundle product(int index);
    /// The current vectors of a buffer of state, e.g. offsetof(CellTileArgs, c).
    Bundle state(BundleOps& ops, std::size_t member);
    void store_state(std::size_t member, const Bundle& value);
    /// Vector `index` of the block's row of projected gates.
    Bundle projected(int index);
    /// Vector `index` of the block's peepholes: f, i, o.
    Bundle peephole(int index);
    /// To h_next and, where wanted, Y.
    void store_hidden(const Bundle& value);

    int projected_block_bytes() const { return gates_of(config_.kind) * vector_bytes(); }

    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                    int vector) override;

    const CellConfig config_;

private:
    int stack_bytes() const override;
    void emit_result(const TileShape& shape, int row,
                     const std::vector<Lease>& accumulators) override;
    void emit_end(const TileShape& shape) override;
    void emit_shared() override;
    void emit_pairs_of_rows();
    void emit_rows();
    void emit_row_begin();
    void emit_y_of_row(const Xbyak::Reg64& y);
    void emit_blocks();
    void emit_bundle(const BundlePlace& place);
    void advance_blocks(int blocks);
    void prepare_tail_mask();
    void store_y(const Vec& value, const Xbyak::Reg64& y, int displacement, int units_before);
    void store_y_tail(const Vec& value, const Xbyak::Address& to);

    Xbyak::Address member(std::size_t offset) const { return ptr[args_ + offset]; }

    bool pairs() const { return isa() == Isa::avx512; }  // else registers don't suffice
    int row_bytes() const;

    Xbyak::Label update_;
    BundlePlace place_;  // of the bundle whose update is being emitted
    // Registers of the update; the tile loops are over when it starts.
    const Xbyak::Reg64 base_ = rax;       // constants
    const Xbyak::Reg64 product_ = rcx;    // products on the stack
    const Xbyak::Reg64 row_ = rdx;        // offset of the row in buffers of state
    const Xbyak::Reg64 offset_ = rsi;     // of the vector in them
    const Xbyak::Reg64 left_ = r8;        // blocks to go
    const Xbyak::Reg64 units_ = r9;       // units from here to the last there is
    const Xbyak::Reg64 y_row_ = r10;      // where this vector of Y goes; 0 = not wanted
    const Xbyak::Reg64 projected_ = r11;  // the block's projected gates
    const Xbyak::Reg64 peephole_ = r12;
    const Xbyak::Reg64 y_next_ = r13;      // entry of the array y; 0 = not wanted
    const Xbyak::Reg64 start_next_ = r14;  // entry of the array start
    const Xbyak::Reg64 temp_ = r15;
    const Xbyak::Reg64 y_second_ = rbx;  // y_row_ of the second row of a pair
    const Xbyak::Opmask tail_mask_{2};
};

/// A cell of one or two phases of generated code.
class JitCell final : public CellKernel {
public:
    /// Phases in order; `first_gate`: the gate that a phase's chains start from.
    struct Phase {
        std::unique_ptr<CellCode> code;
        int first_gate = 0;
    };
    JitCell(Isa isa, const CellConfig& config, std::vector<Phase> phases);

    void run(int phase, const CellStepArgs& args) const override;
    bool takes_side() const override { return phases_[0].code->side_function(1) != nullptr; }
    bool takes_inputs() const override { return phases_[0].code->joint_function(1, 1) != nullptr; }

private:
    struct Corner {
        std::int64_t row, block;
    };
    void choose_panels(std::size_t phase);
    int panels_without_side(int vectors, int rows, int available) const;
    int panels_for(int phase, int rows, std::int64_t available, const CellStepArgs& args) const;
    void run_tile(int phase, const CellStepArgs& args, const Corner& at,
                  const TileShape& shape) const;
    void point_to_inputs(int phase, const CellStepArgs& args, const Corner& at,
                         const TileShape& shape, InputTileArgs& input) const;

    Isa isa_;
    std::int64_t l1_bytes_;
    std::vector<Phase> phases_;
    std::int8_t panels_[2][kMaxTileRows + 1][kMaxTilePanels + 1] = {};  // by phase, rows, blocks
};

std::vector<JitCell::Phase> lstm_phases(Isa isa, const CellConfig& config);
std::vector<JitCell::Phase> gru_phases(Isa isa, const CellConfig& config);
std::vector<JitCell::Phase> gru_linear_phases(Isa isa, const CellConfig& config);
std::vector<JitCell::Phase> rnn_phases(Isa isa, const CellConfig& config);

}  // namespace rondo::cpu::jit
