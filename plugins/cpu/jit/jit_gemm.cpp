// Generated matrix products.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "plugins/cpu/jit/tile_functions.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"
#include "plugins/cpu/kernels/product/word_rows.hpp"

namespace rondo::cpu::jit {
namespace {

struct GemmTileArgs {
    TileArgs tile;
    void* out[kMaxTileRows];
    const float* scales;  // of the rows; integers only
};

// Stores its accumulators to out[row]: whole vectors, also past the last column.
class GemmCode final : public JitBase, private TileEnds {
public:
    GemmCode(Isa isa, ElementType weights)
        : JitBase(isa, std::string("gemm_") + name_of(isa) + "_" + weights_suffix(weights)),
          integers_(rounds_rows(weights)) {
        TileRequest request;
        request.weights = weights;
        functions_ = generate_tiles(*this, request, *this);
    }

    TileFunctions::Function function(const TileShape& shape) const {
        return functions_.plain[shape.rows][shape.panels];
    }

private:
    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int) override {
        integers_ ? vxorps(acc, acc, acc) : vmovups(acc, ptr[start + panel * vector_bytes()]);
    }

    void emit_result(const TileShape&, int row, const std::vector<Lease>& accumulators) override {
        if (integers_) emit_scaling(row, accumulators);
        const Lease out = take_gpr("row of C");
        mov(gpr(out), ptr[args_ + offsetof(GemmTileArgs, out) + row * sizeof(void*)]);
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            vmovups(ptr[gpr(out) + at], vmm(accumulator));
            at += vector_bytes();
        }
    }

    // Sums of integers become bias + scale of the row * sum.
    void emit_scaling(int row, const std::vector<Lease>& accumulators) {
        const Lease pointer = take_gpr("scales, then bias"), scale = take_vector("scale");
        const auto place = static_cast<std::size_t>(row);
        mov(gpr(pointer), argument(offsetof(GemmTileArgs, scales)));
        vbroadcastss(vmm(scale), ptr[gpr(pointer) + place * sizeof(float)]);
        mov(gpr(pointer), argument(offsetof(TileArgs, start) + place * sizeof(void*)));
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            vcvtdq2ps(vmm(accumulator), vmm(accumulator));
            vfmadd213ps(vmm(accumulator), vmm(scale), ptr[gpr(pointer) + at]);
            at += vector_bytes();
        }
    }

    void emit_end(const TileShape&) override { emit_exit(); }

    const bool integers_;
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
        if (!rounds_rows(weights())) return run_rows(b, args, range, nullptr);
        WordRows words(true, b.k);
        const void* rounded[WordRows::kMaxRows];
        for (std::int64_t first = 0; first < args.m; first += words.capacity()) {
            GemmArgs part = args;
            part.m = std::min(words.capacity(), args.m - first);
            for (std::int64_t m = 0; m < part.m; ++m) {
                words.load(m, static_cast<const float*>(a_row(args, first + m, scalar_bytes())));
                rounded[m] = words.row(m);
            }
            part.a_rows = rounded;
            part.c = c_row(args, first, scalar_bytes());
            run_rows(b, part, range, words.scales());
        }
    }

private:
    struct Corner {
        std::int64_t m, panel;
    };

    // `scales`: of rows that hold integers, else null.
    void run_rows(const PackedView& b, const GemmArgs& args, Range range,
                  const float* scales) const {
        const int max_rows = static_cast<int>(even_tile_rows(args.m, max_tile_rows(isa_, 1)));
        GemmTileArgs gemm;
        gemm.tile.k = b.k / numbers_of_step(weights());
        gemm.tile.panel_stride = b.k * lanes() * weight_bytes();
        for (std::int64_t panel = range.begin; panel < range.end;) {
            const int panels = tile_panels(isa_, max_rows, 1, range.end - panel);
            start_panels(b, panel, max_rows, gemm.tile);
            for (std::int64_t m = 0; m < args.m; m += max_rows) {
                const int rows = static_cast<int>(std::min<std::int64_t>(max_rows, args.m - m));
                put_rows(args, {m, panel}, rows, gemm);
                gemm.scales = scales == nullptr ? nullptr : scales + m;
                run_tile(gemm, {rows, panels, 1}, b.n - panel * lanes());
            }
            panel += panels;
        }
    }

    // What all rows of the panels that start at `panel` have in common.
    void start_panels(const PackedView& b, std::int64_t panel, int rows, TileArgs& tile) const {
        tile.panels = static_cast<const char*>(b.panels) + panel * tile.panel_stride;
        tile.prefetched = tile.panels;  // the panel stays in the cache for all rows
        const char* start = static_cast<const char*>(b.bias) + panel * lanes() * scalar_bytes();
        std::fill_n(tile.start, rows, start);
    }

    void put_rows(const GemmArgs& args, const Corner& at, int rows, GemmTileArgs& gemm) const {
        const std::int64_t c_step = args.c_stride * scalar_bytes();
        auto* c = static_cast<char*>(c_row(args, at.m, scalar_bytes())) +
                  at.panel * lanes() * scalar_bytes();
        for (int row = 0; row < rows; ++row, c += c_step) gemm.out[row] = c;
        if (args.a_rows != nullptr) {
            std::copy_n(args.a_rows + at.m, rows, gemm.tile.rows);
            return;
        }
        const std::int64_t a_step = args.a_stride * scalar_bytes();
        const auto* a = static_cast<const char*>(args.a) + at.m * a_step;
        for (int row = 0; row < rows; ++row, a += a_step) gemm.tile.rows[row] = a;
    }

    // `columns`: of C from the tile's first on.
    void run_tile(GemmTileArgs& gemm, const TileShape& shape, std::int64_t columns) const {
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
