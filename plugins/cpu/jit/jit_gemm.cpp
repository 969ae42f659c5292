// Generated matrix products.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "plugins/cpu/jit/tile_functions.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"

namespace rondo::cpu::jit {
namespace {

struct GemmTileArgs {
    TileArgs tile;
    void* out[kMaxTileRows];
};

// Stores its accumulators to out[row]: whole vectors, also past the last column.
class GemmCode final : public JitBase, private TileEnds {
public:
    GemmCode(Isa isa, ElementType weights)
        : JitBase(isa, std::string("gemm_") + name_of(isa) + "_" + weights_suffix(weights)) {
        TileRequest request;
        request.weights = weights;
        functions_ = generate_tiles(*this, request, *this);
    }

    TileFunctions::Function function(const TileShape& shape) const {
        return functions_.plain[shape.rows][shape.panels];
    }

private:
    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int) override {
        vmovups(acc, ptr[start + panel * vector_bytes()]);
    }

    void emit_result(const TileShape&, int row, const std::vector<Lease>& accumulators) override {
        const Lease out = take_gpr("row of C");
        mov(gpr(out), ptr[args_ + offsetof(GemmTileArgs, out) + row * sizeof(void*)]);
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            vmovups(ptr[gpr(out) + at], vmm(accumulator));
            at += vector_bytes();
        }
    }

    void emit_end(const TileShape&) override { emit_exit(); }

    TileFunctions functions_;
};

// The buffer for tiles that reach past the last column of C.
struct Overhang {
    alignas(kCacheLine) char rows[kMaxTileRows][kMaxTilePanels * kCacheLine];
};

class JitGemm final : public GemmKernel {
public:
    JitGemm(Isa isa, ElementType weights)
        : GemmKernel(lanes_of(isa, precision_of(weights)), weights),
          isa_(isa),
          code_(isa, weights) {}

    void run_panels(const PackedView& b, const GemmArgs& args, Range range) const override {
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

    void run_tile(const PackedView& b, const GemmArgs& args, const Corner& at,
                  const TileShape& shape) const {
        const std::int64_t column = at.panel * lanes();
        const std::int64_t column_bytes = column * scalar_bytes();
        GemmTileArgs gemm;
        TileArgs& tile = gemm.tile;
        tile.k = b.k;
        tile.panel_stride = b.k * lanes() * weight_bytes();
        tile.panels = static_cast<const char*>(b.panels) + at.panel * tile.panel_stride;
        for (int row = 0; row < shape.rows; ++row) {
            tile.rows[row] = a_row(args, at.m + row, scalar_bytes());
            gemm.out[row] =
                static_cast<char*>(c_row(args, at.m + row, scalar_bytes())) + column_bytes;
            tile.start[row] = static_cast<const char*>(b.bias) + column_bytes;
        }
        tile.prefetched = tile.panels;  // the panel stays in the cache for all rows
        const std::int64_t columns = b.n - column;
        if (columns < shape.panels * lanes()) return run_overhanging(gemm, shape, columns);
        code_.function(shape)(&gemm);
    }

    // Writes `columns` scalars of each row of C, no more.
    void run_overhanging(GemmTileArgs& gemm, const TileShape& shape, std::int64_t columns) const {
        Overhang overhang;
        void* out[kMaxTileRows];
        const auto bytes = static_cast<std::size_t>(columns * scalar_bytes());
        for (int row = 0; row < shape.rows; ++row) {
            out[row] = std::exchange(gemm.out[row], overhang.rows[row]);
        }
        code_.function(shape)(&gemm);
        for (int row = 0; row < shape.rows; ++row) {
            std::memcpy(out[row], overhang.rows[row], bytes);
        }
    }

    Isa isa_;
    GemmCode code_;
};

}  // namespace

std::unique_ptr<GemmKernel> make_gemm(Isa isa, ElementType weights) {
    return std::make_unique<JitGemm>(isa, weights);
}

}  // namespace rondo::cpu::jit
