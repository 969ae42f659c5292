// Generated matrix products.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "plugins/cpu/jit/product_math.hpp"
#include "plugins/cpu/jit/tile_functions.hpp"
#include "plugins/cpu/jit/tile_product_code.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu::jit {
namespace {

struct GemmTileArgs {
    TileArgs tile;
    void* out[kMaxTileRows];
    // Integers only:
    const float* row_scales;
    const std::int32_t* row_zeros;
    const float* scales;              // of the tile's columns
    const std::int32_t* weight_sums;  // the same
};

// Stores its accumulators to out[row]: whole vectors, also past the last column.
class GemmCode final : public JitBase, private TileEnds {
public:
    GemmCode(Isa isa, const WeightFormat& format)
        : JitBase(isa, std::string("gemm_") + name_of(isa) + "_" + name_of(format)),
          math_(*this, format) {
        TileRequest request;
        request.weights = format;
        request.finish_rows = format.integers() ? rows_to_finish(isa, format) : 0;
        functions_ = generate_tiles(*this, request, *this);
    }

    TileFunctions::Function function(const TileShape& shape) const {
        return functions_.plain[shape.rows][shape.panels];
    }
    TileFunctions::Function finish(const TileShape& shape) const {
        return functions_.finish[shape.rows][shape.panels];
    }

private:
    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel, int) override {
        math_.format().integers() ? vxorps(acc, acc, acc)
                                  : vmovups(acc, ptr[start + panel * vector_bytes()]);
    }

    void emit_result(const TileShape& shape, int row,
                     const std::vector<Lease>& accumulators) override {
        if (math_.format().integers()) emit_scaling(shape, row, accumulators);
        const Lease out = take_gpr("row of C");
        mov(gpr(out), ptr[args_ + offsetof(GemmTileArgs, out) + row * sizeof(void*)]);
        const auto sums = static_cast<std::size_t>(shape.sums);
        for (std::size_t i = 0; i < accumulators.size(); i += sums) {
            vmovups(ptr[gpr(out) + place_of(i / sums)], vmm(accumulators[i]));
        }
    }

    // Sums of integers become bias + scale of the column * (scale of the row * sum).
    void emit_scaling(const TileShape& shape, int row, const std::vector<Lease>& accumulators) {
        math_.emit_floats(shape, row,
                          {offsetof(GemmTileArgs, row_scales), offsetof(GemmTileArgs, row_zeros),
                           offsetof(GemmTileArgs, weight_sums), vector_bytes()},
                          accumulators);
        const Lease bias = take_gpr("bias"), scales = take_gpr("scales of columns");
        const Lease scale = take_vector("scale of columns");
        mov(gpr(bias),
            argument(offsetof(TileArgs, start) + static_cast<std::size_t>(row) * sizeof(void*)));
        mov(gpr(scales), argument(offsetof(GemmTileArgs, scales)));
        const auto sums = static_cast<std::size_t>(shape.sums);
        for (std::size_t i = 0; i < accumulators.size(); i += sums) {
            const int at = place_of(i / sums);
            vmovups(vmm(scale), ptr[gpr(scales) + at]);
            vfmadd213ps(vmm(accumulators[i]), vmm(scale), ptr[gpr(bias) + at]);
        }
    }

    int place_of(std::size_t vector) const { return static_cast<int>(vector) * vector_bytes(); }

    void emit_end(const TileShape&) override { emit_exit(); }

    const ProductMath math_;
    TileFunctions functions_;
};

// The buffer for tiles that reach past the last column of C.
struct Overhang {
    alignas(kCacheLine) char rows[kMaxTileRows][kMaxTilePanels * kCacheLine];
};

class JitGemm final : public GemmKernel {
public:
    JitGemm(Isa isa, const WeightFormat& format)
        : GemmKernel(lanes_of(isa, format.precision()), format, numbers_of_step(isa, format),
                     uses_tiles(isa, format) ? tile_numbers(format) : 1),
          isa_(isa),
          code_(isa, format) {
        if (uses_tiles(isa, format)) tiles_.emplace(format);
    }

    void run_panels(const PackedView& b, const GemmArgs& args, Range range) const override {
        if (b.sparse == nullptr || !b.sparse->pays(args.m)) return run_dense(b, args, range);
        const Range panels = b.sparse->covered(range);
        run_dense(b, args, {range.begin, panels.begin});
        for (std::int64_t m = 0; m < args.m; ++m) run_sparse(b, row_of(args, m), panels);
        run_dense(b, args, {panels.end, range.end});
    }

private:
    GemmArgs row_of(const GemmArgs& args, std::int64_t m) const {
        GemmArgs row = args;
        row.m = 1;
        row.a = a_row(args, m, scalar_bytes());
        row.a_rows = nullptr;
        row.c = c_row(args, m, scalar_bytes());
        return row;
    }

    // A row; zeros times numbers that aren't finite are NaN.
    void run_sparse(const PackedView& b, const GemmArgs& args, Range range) const {
        const auto* row = static_cast<const float*>(args.a);
        if (!format().integers()) {
            if (!all_finite(row, b.k)) return run_dense(b, args, range);
            return for_each_span(b, range, [&](Range panels, char* sums) {
                const std::int64_t first = panels.begin * lanes();
                const std::int64_t columns = std::min(b.n - first, panels.size() * lanes());
                const auto bytes = static_cast<std::size_t>(columns) * sizeof(float);
                std::memcpy(sums, static_cast<const float*>(b.bias) + first,
                            static_cast<std::size_t>(panels.size() * lanes()) * sizeof(float));
                b.sparse->add(panels.begin, row, sums);
                std::memcpy(static_cast<float*>(args.c) + first, sums, bytes);
            });
        }
        QuantizedRows rows(isa_, format(), together(), b.k);
        rows.load(0, row);
        for_each_span(b, range, [&](Range panels, char* sums) {
            const std::int64_t panel_bytes = format().sums() * lanes() * scalar_bytes();
            std::memset(sums, 0, static_cast<std::size_t>(panels.size() * panel_bytes));
            b.sparse->add(panels.begin, rows.row(0), sums);
            for (std::int64_t panel = panels.begin; panel < panels.end;) {
                const int count = tile_panels(isa_, {1, 1, 1, format().sums()}, panels.end - panel);
                finish_integers(b, args, rows, {{0, 1}, {panel, panel + count}},
                                {sums + (panel - panels.begin) * panel_bytes, 0});
                panel += count;
            }
        });
    }

    template <typename Use>
    static void for_each_span(const PackedView& b, Range range, Use use) {
        alignas(kCacheLine) char sums[kMostSparseSums * sizeof(float)];
        for (std::int64_t panel = range.begin; panel < range.end; panel += b.sparse->span()) {
            use(b.sparse->span_at(panel), sums);
        }
    }

    void run_dense(const PackedView& b, const GemmArgs& args, Range range) const {
        if (range.begin == range.end) return;
        if (!format().rounds_rows()) return run_rows(b, args, range, nullptr);
        const void* quantized[QuantizedRows::kMaxRows];
        for_each_quantized(
            {isa_, format(), args.m, b.k, panel_bytes(b) * range.size()}, tiles_,
            [&](std::int64_t m) {
                return static_cast<const float*>(a_row(args, m, scalar_bytes()));
            },
            [&](std::int64_t first, std::int64_t count, const QuantizedRows& rows, bool in_tiles) {
                GemmArgs part = args;
                part.m = count;
                for (std::int64_t m = 0; m < count; ++m) quantized[m] = rows.row(m);
                part.a_rows = quantized;
                part.c = c_row(args, first, scalar_bytes());
                in_tiles ? run_in_tiles(b, part, range, rows) : run_rows(b, part, range, &rows);
            });
    }

    struct Corner {
        std::int64_t m, panel;
    };
    struct Block {
        Range rows, panels;
    };

    // Some panels at a time for all rows: those of the later rows find them in the cache.
    void run_in_tiles(const PackedView& b, const GemmArgs& args, Range range,
                      const QuantizedRows& rows) const {
        constexpr std::int64_t kAcross = 4;
        for (std::int64_t panel = range.begin; panel < range.end;) {
            std::int64_t panels = std::min(kAcross, range.end - panel);
            if (format().integers() && panels < kAcross) panels = 1;
            for (std::int64_t m = 0; m < args.m; m += tiles_->rows_at_once()) {
                const Range some{m, std::min(args.m, m + tiles_->rows_at_once())};
                format().integers() ? run_integers(b, args, rows, some, {panel, panel + panels})
                                    : run_bf16(b, args, rows, some, {panel, panel + panels});
            }
            panel += panels;
        }
    }

    TilePanels panels_from(const PackedView& b, std::int64_t panel) const {
        return {b.k, panel_at(b, panel), lanes() * together() * weight_bytes(), panel_bytes(b)};
    }

    void run_integers(const PackedView& b, const GemmArgs& args, const QuantizedRows& rows,
                      Range some, Range range) const {
        const auto panels = static_cast<int>(range.size());
        TileSums sums;
        sums.multiply(*tiles_, {rows.row(some.begin), rows.stride()}, some.size(), panels,
                      panels_from(b, range.begin));
        finish_integers(b, args, rows, {some, range}, {sums.row(0), sums.stride()});
    }

    // From the sums of the block's rows to C.
    void finish_integers(const PackedView& b, const GemmArgs& args, const QuantizedRows& rows,
                         const Block& block, const TileRows& sums) const {
        const auto panels = static_cast<int>(block.panels.size());
        const std::int64_t first = block.panels.begin;
        const int most = most_tile_rows(isa_, panels, 1, format().sums());
        GemmTileArgs gemm;
        gemm.tile.sums_stride = sums.stride;
        start_panels(b, first, most, gemm);
        for (std::int64_t m = block.rows.begin; m < block.rows.end; m += most) {
            const int count = static_cast<int>(std::min<std::int64_t>(most, block.rows.end - m));
            const TileShape shape{count, panels, 1, format().sums()};
            put_rows(args, {m, first}, count, gemm);
            put_scales(rows, m, gemm);
            gemm.tile.sums = static_cast<const std::int32_t*>(sums.first) +
                             (m - block.rows.begin) * sums.stride / std::int64_t{sizeof(float)};
            run_tile(code_.finish(shape), gemm, shape, b.n - first * lanes());
        }
    }

    // Straight into C where whole tiles fit, else by way of sums.
    void run_bf16(const PackedView& b, const GemmArgs& args, const QuantizedRows& rows, Range some,
                  Range range) const {
        const auto panels = static_cast<int>(range.size());
        const std::int64_t wide = range.size() * lanes();
        const std::int64_t columns = std::min(b.n - range.begin * lanes(), wide);
        const TileOperands operands{{rows.row(some.begin), rows.stride()},
                                    some.size(),
                                    {static_cast<const float*>(b.bias) + range.begin * lanes(), 0}};
        auto* c =
            static_cast<float*>(c_row(args, some.begin, scalar_bytes())) + range.begin * lanes();
        if (some.size() % TileProductCode::kRows == 0 && columns == wide) {
            return multiply_tiles(*tiles_, operands, panels, panels_from(b, range.begin),
                                  {c, args.c_stride * scalar_bytes()});
        }
        TileSums sums;
        sums.begin(panels);
        sums.add(*tiles_, operands, {0, panels}, panels_from(b, range.begin));
        for (std::int64_t m = 0; m < some.size(); ++m) {
            std::memcpy(c + m * args.c_stride, sums.row(m),
                        static_cast<std::size_t>(columns * scalar_bytes()));
        }
    }

    // `quantized`: the rows where they are rounded, else null.
    void run_rows(const PackedView& b, const GemmArgs& args, Range range,
                  const QuantizedRows* quantized) const {
        GemmTileArgs gemm;
        gemm.tile.k = whole_steps(b.k, together()) / together();
        gemm.tile.panel_stride = panel_bytes(b);
        const int sums = format().chains();
        for (std::int64_t panel = range.begin; panel < range.end;) {
            const std::int64_t left = range.end - panel;
            const int most =
                left == 1 ? max_rows_of_panel(isa_, 1, sums) : max_tile_rows(isa_, 1, sums);
            const int max_rows = static_cast<int>(even_tile_rows(args.m, most));
            const int panels = tile_panels(isa_, {max_rows, 1, 1, sums}, left);
            start_panels(b, panel, max_rows, gemm);
            for (std::int64_t m = 0; m < args.m; m += max_rows) {
                const int rows = static_cast<int>(std::min<std::int64_t>(max_rows, args.m - m));
                const TileShape shape{rows, panels, 1, sums};
                put_rows(args, {m, panel}, rows, gemm);
                if (quantized != nullptr) put_scales(*quantized, m, gemm);
                run_tile(code_.function(shape), gemm, shape, b.n - panel * lanes());
            }
            panel += panels;
        }
    }

    std::int64_t panel_bytes(const PackedView& b) const {
        return padded_k(b.k) * lanes() * weight_bytes();
    }
    const char* panel_at(const PackedView& b, std::int64_t panel) const {
        return static_cast<const char*>(b.panels) + panel * panel_bytes(b);
    }

    static void put_scales(const QuantizedRows& rows, std::int64_t m, GemmTileArgs& gemm) {
        gemm.row_scales = rows.scales() + m;
        gemm.row_zeros = rows.zeros() + m;
    }

    // What all rows of the panels that start at `panel` have in common.
    void start_panels(const PackedView& b, std::int64_t panel, int rows, GemmTileArgs& gemm) const {
        TileArgs& tile = gemm.tile;
        tile.panels = panel_at(b, panel);
        const char* start = static_cast<const char*>(b.bias) + panel * lanes() * scalar_bytes();
        std::fill_n(tile.start, rows, start);
        if (b.scales == nullptr) return;
        gemm.scales = b.scales + panel * lanes();
        gemm.weight_sums = b.sums + panel * lanes() * format().weight_planes();
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
    void run_tile(TileFunctions::Function tile, GemmTileArgs& gemm, const TileShape& shape,
                  std::int64_t columns) const {
        if (columns < shape.panels * lanes()) return run_overhanging(tile, gemm, shape, columns);
        tile(&gemm);
    }

    // Writes `columns` scalars of each row of C, no more.
    void run_overhanging(TileFunctions::Function tile, GemmTileArgs& gemm, const TileShape& shape,
                         std::int64_t columns) const {
        Overhang overhang;
        void* out[kMaxTileRows];
        const auto bytes = static_cast<std::size_t>(columns * scalar_bytes());
        for (int row = 0; row < shape.rows; ++row) {
            out[row] = std::exchange(gemm.out[row], overhang.rows[row]);
        }
        tile(&gemm);
        for (int row = 0; row < shape.rows; ++row) {
            std::memcpy(out[row], overhang.rows[row], bytes);
        }
    }

    Isa isa_;
    GemmCode code_;
    std::optional<TileProductCode> tiles_;
};

}  // namespace

std::unique_ptr<GemmKernel> make_gemm(Isa isa, const WeightFormat& format) {
    return generate<JitGemm>(isa, format);
}

}  // namespace rondo::cpu::jit
