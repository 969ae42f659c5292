// Generates products of 8-bit integers for AVX-512 with VNNI, in AMX tiles from a few rows on.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "plugins/cpu/jit/product_math.hpp"
#include "plugins/cpu/jit/tile_functions.hpp"
#include "plugins/cpu/jit/tile_product_code.hpp"
#include "plugins/cpu/kernels/choice/kernel_list.hpp"
#include "plugins/cpu/kernels/product/avx_loops.hpp"

namespace rondo::cpu::jit {
namespace {

constexpr int kFours = 4;

struct ByteTileArgs {
    TileArgs tile;
    void* out[kMaxTileRows];
    const std::int32_t* row_zeros;
    const std::int32_t* row_sums;
    const std::int32_t* column_sums;
    const std::int32_t* column_zeros;
};

// The bytes of A and B have an offset that makes A's unsigned and B's signed; so have their zero
// points: sum of (a - za) (b - zb) = sum of a b - za * sum of b - zb * sum of (a - za).
class ByteCode final : public JitBase, private TileEnds {
public:
    // What C holds: i32 or f32.
    explicit ByteCode(ElementType result)
        : JitBase(Isa::avx512, "bytes_avx512_" + std::string(to_string(result))),
          floats_(result == ElementType::f32) {
        TileRequest request;
        request.weights = kW8R8;
        request.finish_rows = rows_to_finish(Isa::avx512, kW8R8);
        functions_ = generate_tiles(*this, request, *this);
    }

    const TileFunctions& functions() const { return functions_; }

private:
    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64&, int, int) override {
        vxorps(acc, acc, acc);
    }

    void emit_result(const TileShape&, int row, const std::vector<Lease>& accumulators) override {
        subtract(row, accumulators, offsetof(ByteTileArgs, row_zeros),
                 offsetof(ByteTileArgs, column_sums));
        subtract(row, accumulators, offsetof(ByteTileArgs, row_sums),
                 offsetof(ByteTileArgs, column_zeros));
        const Lease out = take_gpr("row of C");
        const auto place = static_cast<std::size_t>(row) * sizeof(void*);
        mov(gpr(out), argument(offsetof(ByteTileArgs, out) + place));
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            if (floats_) vcvtdq2ps(vmm(accumulator), vmm(accumulator));
            vmovups(ptr[gpr(out) + at], vmm(accumulator));
            at += vector_bytes();
        }
    }

    // sums -= a number of the row * a vector of the columns.
    void subtract(int row, const std::vector<Lease>& accumulators, std::size_t of_rows,
                  std::size_t of_columns) {
        const Lease pointer = take_gpr("numbers of rows, then of columns");
        const Lease number = take_vector("number of the row"), product = take_vector("product");
        mov(gpr(pointer), argument(of_rows));
        vpbroadcastd(vmm(number), ptr[gpr(pointer) + static_cast<int>(sizeof(std::int32_t)) * row]);
        mov(gpr(pointer), argument(of_columns));
        int at = 0;
        for (const Lease& accumulator : accumulators) {
            vpmulld(vmm(product), vmm(number), ptr[gpr(pointer) + at]);
            vpsubd(vmm(accumulator), vmm(accumulator), vmm(product));
            at += vector_bytes();
        }
    }

    void emit_end(const TileShape&) override { emit_exit(); }

    const bool floats_;
    TileFunctions functions_;
};

// Columns of a group of panels: their zero points, and their sums of B in one array.
struct Columns {
    alignas(kCacheLine) std::int32_t zeros[kMaxTilePanels * kByteLanes];
    alignas(kCacheLine) std::int32_t sums[kMaxTilePanels * kByteLanes];
    alignas(kCacheLine) std::int32_t overhang[kMaxTileRows][kMaxTilePanels * kByteLanes];
};

class JitBytes final : public ByteKernel {
public:
    explicit JitBytes(ElementType result) : code_(result) {
        if (uses_tiles(Isa::avx512, kW8R8)) tiles_.emplace(kW8R8);
    }

    const char* name() const override { return tiles_ ? "byte_gemm_amx" : "byte_gemm_avx512_vnni"; }

    // The sums of the columns, then [k / 4][16][4], for whole tiles.
    std::int64_t panel_bytes(std::int64_t k) const override {
        return kByteLanes * (padded(k) + static_cast<std::int64_t>(sizeof(std::int32_t)));
    }
    std::int64_t row_bytes(std::int64_t k) const override { return padded(k); }
    // Tiles read whole groups of rows.
    std::int64_t rows_read(std::int64_t m) const override {
        return tiles_ ? m + TileProductCode::kMostRows - 1 : m;
    }

    void pack(const ByteData& b, std::int64_t k, std::int64_t n, void* to,
              Range panels) const override {
        for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
            const std::int64_t first = panel * kByteLanes;
            pack_byte_fours(b.from(first), k, n, std::min(kByteLanes, n - first),
                            {static_cast<char*>(to) + panel * panel_bytes(k), panel_bytes(k)});
        }
    }

    ByteRow load_row(const ByteData& a, std::int64_t k, std::int32_t zero,
                     void* to) const override {
        const std::int32_t own_zero = zero + (a.is_signed ? kSignBit : 0);
        std::uint32_t sum = avx::load_bytes(a, k, static_cast<std::uint8_t*>(to));
        std::memset(static_cast<char*>(to) + k, 0, static_cast<std::size_t>(padded(k) - k));
        sum -= static_cast<std::uint32_t>(k) * static_cast<std::uint32_t>(own_zero);
        return {static_cast<std::int32_t>(sum), own_zero};
    }

    void run(const ByteGemm& gemm, Range rows, Range panels) const override {
        if (rows.empty()) return;
        if (!tiles_ || !tiles_->pays(rows.size(), 0)) return run_vectors(gemm, rows, panels);
        tiles_->begin();
        run_in_tiles(gemm, rows, panels);
        tiles_->end();
    }

private:
    static std::int64_t padded(std::int64_t k) { return whole_steps(k, kTileNumbers); }
    const char* row_at(const ByteGemm& gemm, std::int64_t row) const {
        return static_cast<const char*>(gemm.rows) + row * row_bytes(gemm.k);
    }
    const char* panel_at(const ByteGemm& gemm, std::int64_t panel) const {
        return static_cast<const char*>(gemm.panels.data) + panel * panel_bytes(gemm.k);
    }
    static const void* bytes_of(const char* panel) {
        return panel + kByteLanes * static_cast<std::int64_t>(sizeof(std::int32_t));
    }

    void run_vectors(const ByteGemm& gemm, Range rows, Range panels) const {
        ByteTileArgs args;
        Columns columns;
        args.tile.k = whole_steps(gemm.k, kFours) / kFours;
        args.tile.panel_stride = panel_bytes(gemm.k);
        for (std::int64_t panel = panels.begin; panel < panels.end;) {
            const std::int64_t left = panels.end - panel;
            const int most =
                left == 1 ? max_rows_of_panel(Isa::avx512, 1, 1) : max_tile_rows(Isa::avx512, 1, 1);
            const int tile_rows = static_cast<int>(even_tile_rows(rows.size(), most));
            const int count = tile_panels(Isa::avx512, {tile_rows, 1, 1, 1}, left);
            start_columns(gemm, {panel, panel + count}, columns, args);
            args.tile.panels = bytes_of(panel_at(gemm, panel));
            for (std::int64_t row = rows.begin; row < rows.end; row += tile_rows) {
                const int some =
                    static_cast<int>(std::min<std::int64_t>(tile_rows, rows.end - row));
                run_tile(code_.functions().plain[some][count], gemm, {row, row + some},
                         {panel, panel + count}, columns, args);
            }
            panel += count;
        }
    }

    // Panels outside, groups of rows inside: the panels of a group stay in the first-level cache.
    void run_in_tiles(const ByteGemm& gemm, Range rows, Range panels) const {
        ByteTileArgs args;
        Columns columns;
        constexpr std::int64_t kRows = TileProductCode::kMostRows;
        for (std::int64_t panel = panels.begin; panel < panels.end;) {
            const int count = panels.end - panel >= kFours ? kFours : 1;
            start_columns(gemm, {panel, panel + count}, columns, args);
            for (std::int64_t row = rows.begin; row < rows.end; row += kRows) {
                run_group(gemm, {row, std::min(row + kRows, rows.end)}, {panel, panel + count},
                          columns, args);
            }
            panel += count;
        }
    }

    void run_group(const ByteGemm& gemm, Range rows, Range panels, Columns& columns,
                   ByteTileArgs& args) const {
        TileSums sums;
        const int count = static_cast<int>(panels.size());
        sums.multiply(*tiles_, {row_at(gemm, rows.begin), row_bytes(gemm.k)}, rows.size(), count,
                      {gemm.k, bytes_of(panel_at(gemm, panels.begin)), kByteLanes * kFours,
                       panel_bytes(gemm.k)});
        args.tile.sums_stride = sums.stride();
        const int most = most_tile_rows(Isa::avx512, count, 1, 1);
        for (std::int64_t row = rows.begin; row < rows.end; row += most) {
            const int some = static_cast<int>(std::min<std::int64_t>(most, rows.end - row));
            args.tile.sums = sums.row(row - rows.begin);
            run_tile(code_.functions().finish[some][count], gemm, {row, row + some}, panels,
                     columns, args);
        }
    }

    static void* place_of(const ByteGemm& gemm, std::int64_t row, std::int64_t column) {
        return static_cast<char*>(gemm.c) + (row * gemm.n + column) * 4;
    }

    void start_columns(const ByteGemm& gemm, Range panels, Columns& columns,
                       ByteTileArgs& args) const {
        const std::int32_t flip = gemm.panels.is_signed ? 0 : kSignBit;
        std::int64_t at = 0;
        for (std::int64_t panel = panels.begin; panel < panels.end; ++panel) {
            std::memcpy(columns.sums + at, panel_at(gemm, panel),
                        kByteLanes * sizeof(std::int32_t));
            for (std::int64_t i = 0; i < kByteLanes; ++i, ++at) {
                const std::int64_t column = std::min(panel * kByteLanes + i, gemm.n - 1);
                columns.zeros[at] = gemm.zero_points.at(column * gemm.zero_point_step) - flip;
            }
        }
        args.column_sums = columns.sums;
        args.column_zeros = columns.zeros;
    }

    void run_tile(TileFunctions::Function tile, const ByteGemm& gemm, Range rows, Range panels,
                  Columns& columns, ByteTileArgs& args) const {
        const std::int64_t first = panels.begin * kByteLanes;
        const std::int64_t there = std::min(panels.size() * kByteLanes, gemm.n - first);
        const bool overhangs = there < panels.size() * kByteLanes;
        args.row_zeros = gemm.row_zeros + rows.begin;
        args.row_sums = gemm.sums + rows.begin;
        for (std::int64_t i = 0; i < rows.size(); ++i) {
            const std::int64_t row = rows.begin + i;
            args.tile.rows[i] = row_at(gemm, row);
            args.out[i] = overhangs ? columns.overhang[i] : place_of(gemm, row, first);
        }
        tile(&args);
        if (!overhangs) return;
        for (std::int64_t i = 0; i < rows.size(); ++i) {
            std::memcpy(place_of(gemm, rows.begin + i, first), columns.overhang[i],
                        static_cast<std::size_t>(there) * sizeof(std::int32_t));
        }
    }

    ByteCode code_;
    std::optional<TileProductCode> tiles_;
};

}  // namespace

std::unique_ptr<ByteKernel> make_bytes(ElementType result) { return generate<JitBytes>(result); }

}  // namespace rondo::cpu::jit
