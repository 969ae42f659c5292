// Generated code of the recurrent cells: product tiles, then an update of each vector of units.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plugins/cpu/jit/product_math.hpp"
#include "plugins/cpu/jit/tile_functions.hpp"
#include "plugins/cpu/jit/tile_product_code.hpp"
#include "plugins/cpu/jit/vector_ops.hpp"
#include "plugins/cpu/kernels/cell/cell_config.hpp"
#include "plugins/cpu/kernels/cell/cell_kernel.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu::jit {

constexpr int kMaxBundle = 2;

/// The same quantity of some vectors of hidden units.
using Bundle = std::array<Vec, kMaxBundle>;

/// VectorOps on each vector of a bundle. The update of a cell is a long chain of operations; with
/// two independent chains the processor has twice as many instructions that are ready.
class BundleOps {
public:
    using Value = Bundle;

    /// `width`: vectors in a bundle, 1 or 2.
    BundleOps(VectorOps& ops, int width) : ops_(ops), width_(width) {}

    int width() const { return width_; }
    VectorOps& single() { return ops_; }
    Precision precision() const { return ops_.precision(); }

    Bundle constant(double value) {
        return each([&](std::size_t) { return ops_.constant(value); });
    }
    Bundle add(Bundle a, Bundle b) { return binary(&VectorOps::add, a, b); }
    Bundle sub(Bundle a, Bundle b) { return binary(&VectorOps::sub, a, b); }
    Bundle mul(Bundle a, Bundle b) { return binary(&VectorOps::mul, a, b); }
    Bundle div(Bundle a, Bundle b) { return binary(&VectorOps::div, a, b); }
    Bundle max(Bundle a, Bundle b) { return binary(&VectorOps::max, a, b); }
    Bundle min(Bundle a, Bundle b) { return binary(&VectorOps::min, a, b); }
    Bundle bit_xor(Bundle a, Bundle b) { return binary(&VectorOps::bit_xor, a, b); }
    Bundle copy_sign(Bundle a, Bundle b) { return binary(&VectorOps::copy_sign, a, b); }
    Bundle abs(Bundle x) { return unary(&VectorOps::abs, x); }
    Bundle negative_abs(Bundle x) { return unary(&VectorOps::negative_abs, x); }
    Bundle power_of_two(Bundle x) { return unary(&VectorOps::power_of_two, x); }
    Bundle load(Bundle x) { return unary(&VectorOps::load, x); }
    Bundle fma(Bundle a, Bundle b, Bundle c) { return ternary(&VectorOps::fma, a, b, c); }
    Bundle sub_product(Bundle c, Bundle a, Bundle b) {
        return ternary(&VectorOps::sub_product, c, a, b);
    }
    Bundle select_negative(Bundle x, Bundle negative, Bundle otherwise) {
        return ternary(&VectorOps::select_negative, x, negative, otherwise);
    }
    Bundle select_less_equal(Bundle x, Bundle y, Bundle yes, Bundle otherwise) {
        return each([&](std::size_t i) {
            return ops_.select_less_equal(std::move(x[i]), std::move(y[i]), std::move(yes[i]),
                                          std::move(otherwise[i]));
        });
    }

private:
    template <typename Make>
    Bundle each(Make make) {
        Bundle result;
        for (std::size_t i = 0; i < static_cast<std::size_t>(width_); ++i) result[i] = make(i);
        return result;
    }
    Bundle unary(Vec (VectorOps::*op)(Vec), Bundle& x) {
        return each([&](std::size_t i) { return (ops_.*op)(std::move(x[i])); });
    }
    Bundle binary(Vec (VectorOps::*op)(Vec, Vec), Bundle& a, Bundle& b) {
        return each([&](std::size_t i) { return (ops_.*op)(std::move(a[i]), std::move(b[i])); });
    }
    Bundle ternary(Vec (VectorOps::*op)(Vec, Vec, Vec), Bundle& a, Bundle& b, Bundle& c) {
        return each([&](std::size_t i) {
            return (ops_.*op)(std::move(a[i]), std::move(b[i]), std::move(c[i]));
        });
    }

    VectorOps& ops_;
    int width_;
};

class CellCode;

struct CellPhase {
    static constexpr int kNone = -1;

    const char* suffix;  ///< of the code's name
    int vectors;         ///< gates that the phase multiplies
    int first_gate;      ///< the gate that its chains start from
    /// The vector whose chain over H starts from the recurrent bias and meets the product of the
    /// input only in the update; or kNone.
    int apart;
    /// Emits the new state of a bundle of vectors of hidden units.
    void (*emit_update)(CellCode& code, BundleOps& ops);
};

/// In the order in which a step runs them: one, or two for CellKind::gru.
std::span<const CellPhase> cell_phases(const CellConfig& config);

void emit_lstm_update(CellCode& code, BundleOps& ops);
void emit_gru_gates_update(CellCode& code, BundleOps& ops);
void emit_gru_candidate_update(CellCode& code, BundleOps& ops);
void emit_gru_linear_update(CellCode& code, BundleOps& ops);
void emit_rnn_update(CellCode& code, BundleOps& ops);

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
    const float* scales;            ///< of the tile's rows of R, where these are integers
    const float* row_scales;        ///< of quantised rows
    const std::int32_t* row_zeros;  ///< the same
    const std::int32_t* weight_sums;
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
/// update, which all tiles share: loops over rows and blocks around CellPhase::emit_update(), two
/// blocks or two rows at a time where that is possible.
class CellCode final : public JitBase, private TileEnds {
public:
    CellCode(Isa isa, const CellConfig& config, const CellPhase& phase, const TileRequest& request);

    const TileFunctions& functions() const { return functions_; }

    // For CellPhase::emit_update().
    const CellConfig& config() const { return config_; }
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

private:
    /// Registers of the update. The products' loops are over when it starts.
    struct Registers {                         // lint: allow(members): one member for each register
        Xbyak::Reg64 base = Xbyak::util::rax;  ///< constants
        Xbyak::Reg64 product = Xbyak::util::rcx;    ///< products on the stack
        Xbyak::Reg64 row = Xbyak::util::rdx;        ///< offset of the row in buffers of state
        Xbyak::Reg64 offset = Xbyak::util::rsi;     ///< of the vector in them
        Xbyak::Reg64 left = Xbyak::util::r8;        ///< blocks to go
        Xbyak::Reg64 units = Xbyak::util::r9;       ///< units from here to the last there is
        Xbyak::Reg64 y_row = Xbyak::util::r10;      ///< where this vector of Y goes; 0 = not wanted
        Xbyak::Reg64 projected = Xbyak::util::r11;  ///< the block's projected gates
        Xbyak::Reg64 peephole = Xbyak::util::r12;
        Xbyak::Reg64 y_next = Xbyak::util::r13;      ///< entry of the array y; 0 = not wanted
        Xbyak::Reg64 start_next = Xbyak::util::r14;  ///< entry of the array start
        Xbyak::Reg64 temp = Xbyak::util::r15;
        Xbyak::Reg64 y_second = Xbyak::util::rbx;  ///< y_row of the second row of a pair
        Xbyak::Opmask tail_mask{2};
    };

    int stack_bytes() const override;
    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                    int vector) override;
    bool has_between(int vector) const override { return vector == phase_.apart; }
    void emit_between(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                      int vector) override;
    void emit_result(const TileShape& shape, int row,
                     const std::vector<Lease>& accumulators) override;
    void emit_end(const TileShape& shape) override;
    void emit_finish() override;
    void emit_scaling(const TileShape& shape, int row, const std::vector<Lease>& accumulators);
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

    /// Two vectors at a time; else registers don't suffice.
    bool pairs() const { return isa() == Isa::avx512; }
    int row_bytes() const;
    int projected_block_bytes() const { return gates_of(config_) * vector_bytes(); }
    int projected_offset(int panel, int vector) const {
        return panel * projected_block_bytes() + vector * vector_bytes();
    }

    const CellConfig config_;
    const CellPhase phase_;
    const ProductMath math_;
    const Registers at_;
    Xbyak::Label update_, update_of_sums_;
    BundlePlace place_;  // of the bundle whose update is being emitted
    TileFunctions functions_;
};

/// A cell of one or two phases of generated code.
class JitCell final : public CellKernel {
public:
    JitCell(Isa isa, const CellConfig& config);

    void run(int phase, const CellStepArgs& args) const override;
    bool can_look_ahead() const override { return functions(0).look_ahead[1] != nullptr; }
    bool can_fuse_input() const override { return functions(0).fused[1][1] != nullptr; }

private:
    struct Corner {
        std::int64_t row, block;
        std::int64_t quantized_row;
    };
    void choose_panels(std::size_t phase);
    int best_panels(int vectors, int rows, int available) const;
    int panels_for(int phase, int rows, std::int64_t available, const CellStepArgs& args) const;
    static const void* left_of(int phase, const CellStepArgs& args) {
        return phase == 0 ? args.h_prev : args.reset_hidden;
    }
    void run_dense(int phase, const CellStepArgs& args) const;
    void run_rows(int phase, const CellStepArgs& args, Range rows,
                  const QuantizedRows* quantized) const;
    // A tile of rounded rows has these, and sums where they are done; else null.
    struct Done {
        const QuantizedRows* rows;
        const void* sums = nullptr;  // of the tile's first row
        std::int64_t stride = 0;     // from row to row, in bytes
    };
    // A row: its place among those of a call and its numbers as products read them.
    struct SparseRow {
        std::int64_t index;
        const void* numbers;
        const QuantizedRows* quantized;
    };
    void run_sparse(int phase, const CellStepArgs& args, const SparsePanels& panels) const;
    void run_sparse_row(int phase, const CellStepArgs& args, const SparsePanels& panels,
                        const SparseRow& row) const;
    void load_starts(int phase, const CellStepArgs& args, std::int64_t row, Range blocks,
                     char* sums) const;
    void run_in_tiles(int phase, const CellStepArgs& args, Range rows,
                      const QuantizedRows& quantized) const;
    void run_block_in_tiles(int phase, const CellStepArgs& args, const Corner& at,
                            std::int64_t rows, const QuantizedRows& quantized) const;
    void add_bf16_products(int phase, const CellStepArgs& args, const Corner& at,
                           const TileOperands& operands, const TilePanels& panels,
                           TileSums& sums) const;
    void run_tile(int phase, const CellStepArgs& args, const Corner& at, const TileShape& shape,
                  const Done& done) const;
    void point_to_integers(int phase, const CellStepArgs& args, const Corner& at,
                           const QuantizedRows& quantized, CellTileArgs& cell) const;
    int chains() const { return config().weights.chains(); }
    void point_to_inputs(int phase, const CellStepArgs& args, const Corner& at,
                         const TileShape& shape, FusedInputArgs& input) const;
    const CellPhase& phase_at(int phase) const { return phases_[static_cast<std::size_t>(phase)]; }
    const TileFunctions& functions(int phase) const {
        return codes_[static_cast<std::size_t>(phase)]->functions();
    }

    Isa isa_;
    std::int64_t l1_bytes_;
    std::span<const CellPhase> phases_;
    std::optional<TileProductCode> tiles_;
    std::vector<std::unique_ptr<CellCode>> codes_;                      // of the phases
    std::int8_t panels_[2][kMaxTileRows + 1][kMaxTilePanels + 1] = {};  // by phase, rows, blocks
};

}  // namespace rondo::cpu::jit
