#include <algorithm>
#include <cstddef>

#include "plugins/cpu/jit/jit_tile.hpp"
#include "plugins/cpu/kernels/jit_factories.hpp"

namespace rondo::cpu::jit {
namespace {

struct GemmTileArgs {
    TileArgs tile;
    float* out[kMaxTileRows];
};

// Stores its accumulators to out[row]: whole vectors, also behind the last column.
class GemmCode final : public JitTile {
public:
    explicit GemmCode(Isa isa) : JitTile(isa, std::string("gemm_") + name_of(isa) + "_f32", 1) {}

private:
    void emit_result(const TileShape&, int row, const std::vector<Lease>& accumulators) override {
        const Lease out = take_gpr("row of C");
        mov(gpr(out), ptr[args_ + offsetof(GemmTileArgs, out) + row * sizeof(float*)]);
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            vmovups(ptr[gpr(out) + at], vmm(accumulator));
            at += vector_bytes();
        }
    }

    void emit_end(const TileShape&) override { emit_exit(); }
};

// Where tiles that hang over the last column of C are computed.
struct Overhang {
    alignas(kCacheLine) float rows[kMaxTileRows][kMaxTilePanels * 16];
};

class JitGemm final : public GemmKernel {
public:
    explicit JitGemm(Isa isa) : GemmKernel(lanes_of(isa)), isa_(isa), code_(isa) {
        code_.generate();
    }

    void run_panels(const PackedView& b, const GemmArgs& args, PanelRange range) const override {
        const int max_rows = static_cast<int>(even_tile_rows(args.m, max_tile_rows(isa_, 1)));
        for (std::int64_t panel = range.begin; panel < range.end;) {
            const int panels = tile_panels(isa_, max_rows, 1, range.end - panel);
            for (std::int64_t m = 0; m < args.m; m += max_rows) {
                const int rows = static_cast<int>(std::min<std::int64_t>(max_rows, args.m - m));
                run_tile(b, args, {m, panel}, {rows, panels, 1});
            }
            panel += panels;
        }
    }

private:
    struct Corner {
        std::int64_t m, panel;
    };

    static const float* a_row(const GemmArgs& args, std::int64_t m) {
        return args.a_rows != nullptr ? args.a_rows[m] : args.a + m * args.a_stride;
    }
    static float* c_row(const GemmArgs& args, std::int64_t m) {
        return args.c_rows != nullptr ? args.c_rows[m] : args.c + m * args.c_stride;
    }

    void run_tile(const PackedView& b, const GemmArgs& args, const Corner& at,
                  const TileShape& shape) const {
        const std::int64_t column = at.panel * lanes();
        GemmTileArgs gemm;
        TileArgs& tile = gemm.tile;
        tile.k = b.k;
        tile.panel_stride = b.k * lanes() * std::int64_t{sizeof(float)};
        tile.panels = b.panels + column * b.k;
        for (int row = 0; row < shape.rows; ++row) {
            tile.rows[row] = a_row(args, at.m + row);
            gemm.out[row] = c_row(args, at.m + row) + column;
            tile.start[row] = args.accumulate ? gemm.out[row] : b.bias + column;
        }
        const std::int64_t columns = b.n - column;
        if (columns < shape.panels * lanes()) return run_overhanging(gemm, shape, columns);
        code_.function(shape.rows, shape.panels)(&gemm);
    }

    // Reads and writes `columns` floats of each row of C, no more.
    void run_overhanging(GemmTileArgs& gemm, const TileShape& shape, std::int64_t columns) const {
        Overhang overhang;
        TileArgs& tile = gemm.tile;
        float* out[kMaxTileRows];
        for (int row = 0; row < shape.rows; ++row) {
            out[row] = gemm.out[row];
            if (tile.start[row] == out[row]) {
                std::copy_n(out[row], columns, overhang.rows[row]);
                std::fill(overhang.rows[row] + columns, overhang.rows[row] + shape.panels * lanes(),
                          0.0f);
                tile.start[row] = overhang.rows[row];
            }
            gemm.out[row] = overhang.rows[row];
        }
        code_.function(shape.rows, shape.panels)(&gemm);
        for (int row = 0; row < shape.rows; ++row) {
            std::copy_n(overhang.rows[row], columns, out[row]);
        }
    }

    Isa isa_;
    GemmCode code_;
};

}  // namespace

std::unique_ptr<GemmKernel> make_gemm(Isa isa) { return std::make_unique<JitGemm>(isa); }

}  // namespace rondo::cpu::jit
