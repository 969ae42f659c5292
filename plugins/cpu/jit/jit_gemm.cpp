// Generated matrix products.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "plugins/cpu/jit/product_math.hpp"
#include "plugins/cpu/jit/tile_functions.hpp"
#include "plugins/cpu/kernels/choice/jit_factories.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu::jit {
namespace {

struct GemmTileArgs {
    TileArgs tile;
    void* out[kMaxTileRows];
    // Integers only:
    const float* scales;              // of the rows
    const std::int32_t* zeros;        // of the rows
    const std::int32_t* weight_sums;  // of the tile's columns
};

// Stores its accumulators to out[row]: whole vectors, also past the last column.
class GemmCode final : public JitBase, private TileEnds {
public:
    GemmCode(Isa isa, ElementType weights)
        : JitBase(isa, std::string("gemm_") + name_of(isa) + "_" + weights_suffix(weights)),
          math_(*this, weights),
          integers_(quantizes_rows(weights)) {
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
        if (math_.has_zero_points()) emit_centring(row, accumulators);
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

    void emit_centring(int row, const std::vector<Lease>& accumulators) {
        const Lease pointer = take_gpr("zero points, then sums");
        const Lease zero = take_vector("zero point"), product = take_vector("product");
        mov(gpr(pointer), argument(offsetof(GemmTileArgs, zeros)));
        const auto place = static_cast<std::size_t>(row) * sizeof(std::int32_t);
        vpbroadcastd(vmm(zero), ptr[gpr(pointer) + place]);
        mov(gpr(pointer), argument(offsetof(GemmTileArgs, weight_sums)));
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            math_.centre(vmm(accumulator), vmm(product), vmm(zero), ptr[gpr(pointer) + at]);
            at += vector_bytes();
        }
    }

    void emit_end(const TileShape&) override { emit_exit(); }

    const ProductMath math_;
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
        : GemmKernel(lanes_of(isa, precision_of(weights)), weights, numbers_of_step(isa, weights)),
          isa_(isa),
          code_(isa, weights) {}

    void run_panels(const PackedView& b, const GemmArgs& args, Range range) const override {
        if (!quantizes_rows(weights())) return run_rows(b, args, range, nullptr);
        QuantizedRows rows(isa_, together(), b.k);
        const void* quantized[QuantizedRows::kMaxRows];
        for (std::int64_t first = 0; first < args.m; first += rows.capacity()) {
            GemmArgs part = args;
            part.m = std::min(rows.capacity(), args.m - first);
            for (std::int64_t m = 0; m < part.m; ++m) {
                rows.load(m, static_cast<const float*>(a_row(args, first + m, scalar_bytes())));
                quantized[m] = rows.row(m);
            }
            part.a_rows = quantized;
            part.c = c_row(args, first, scalar_bytes());
            run_rows(b, part, range, &rows);
        }
    }

private:
    struct Corner {
        std::int64_t m, panel;
    };

    // `quantized`: the rows where they hold integers, else null.
    void run_rows(const PackedView& b, const GemmArgs& args, Range range,
                  const QuantizedRows* quantized) const {
        GemmTileArgs gemm;
        gemm.tile.k = padded_k(b.k) / together();
        gemm.tile.panel_stride = padded_k(b.k) * lanes() * weight_bytes();
        for (std::int64_t panel = range.begin; panel < range.end;) {
            const std::int64_t left = range.end - panel;
            const int most = left == 1 ? max_rows_of_panel(isa_, 1) : max_tile_rows(isa_, 1);
            const int max_rows = static_cast<int>(even_tile_rows(args.m, most));
            const int panels = tile_panels(isa_, max_rows, 1, left);
            start_panels(b, panel, max_rows, gemm.tile);
            if (quantized != nullptr) gemm.weight_sums = b.sums + panel * lanes();
            for (std::int64_t m = 0; m < args.m; m += max_rows) {
                const int rows = static_cast<int>(std::min<std::int64_t>(max_rows, args.m - m));
                put_rows(args, {m, panel}, rows, gemm);
                if (quantized != nullptr) {
                    gemm.scales = quantized->scales() + m;
                    gemm.zeros = quantized->zeros() + m;
                }
                run_tile(gemm, {rows, panels, 1}, b.n - panel * lanes());
            }
            panel += panels;
        }
    }

    // What all rows of the panels that start at `panel` have in common.
    void start_panels(const PackedView& b, std::int64_t panel, int rows, TileArgs& tile) const {
        tile.panels = static_cast<const char*>(b.panels) + panel * tile.panel_stride;
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
    return generate<JitGemm>(isa, weights);
}

}  // namespace rondo::cpu::jit
