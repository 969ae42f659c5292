// Tiles against chains of std::fma: all shapes, alone, with a fused input, and looking ahead.
#include "plugins/cpu/jit/tile_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "plugins/cpu/jit/product_loop.hpp"
#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

namespace rondo::cpu::jit::tile_functions_test {
namespace {

constexpr std::int64_t kInput = 7;  // of the fused input

struct StoreArgs {
    TileArgs tile;
    float* out[kMaxTileRows];
};

// Stores its sums to out[row], as [panel][vector][lane].
class StoreCode final : public JitBase, private TileEnds {
public:
    StoreCode(Isa isa, int vectors, bool prefetch = true)
        : JitBase(isa, "store"), vectors_(vectors) {
        TileRequest request;
        request.vectors = vectors;
        request.look_ahead = true;
        request.prefetch = prefetch;
        request.input = {kInput, vectors};
        functions = generate_tiles(*this, request, *this);
    }

    TileFunctions functions;

private:
    void emit_start(const Xbyak::Xmm& acc, const Xbyak::Reg64& start, int panel,
                    int vector) override {
        vmovups(acc, ptr[start + (panel * vectors_ + vector) * vector_bytes()]);
    }
    void emit_result(const TileShape&, int row, const std::vector<Lease>& sums) override {
        const Lease out = take_gpr("out");
        mov(gpr(out), argument(offsetof(StoreArgs, out) + row * sizeof(void*)));
        for (std::size_t i = 0; i < sums.size(); ++i) {
            vmovups(ptr[gpr(out) + static_cast<int>(i) * vector_bytes()], vmm(sums[i]));
        }
    }
    void emit_end(const TileShape&) override { emit_exit(); }

    int vectors_;
};

std::vector<float> numbers(std::int64_t count) {
    static std::mt19937 engine(7);
    std::uniform_real_distribution<float> distribution(-1.0f, 1.0f);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values) value = distribution(engine);
    return values;
}

// One product: rows [rows][k] and panels [panel][k][across]; a chain starts from start[column].
struct Product {
    std::int64_t rows, panels, k, across;
    std::vector<float> left = numbers(rows * k), right = numbers(panels * k * across);
    std::vector<float> start = numbers(panels * across);

    float chain(std::int64_t row, std::int64_t panel, std::int64_t column, float sum) const {
        for (std::int64_t i = 0; i < k; ++i) {
            sum = std::fma(left[static_cast<std::size_t>(row * k + i)],
                           right[static_cast<std::size_t>((panel * k + i) * across + column)], sum);
        }
        return sum;
    }
    float chain(std::int64_t row, std::int64_t panel, std::int64_t column) const {
        return chain(row, panel, column, start[static_cast<std::size_t>(panel * across + column)]);
    }
};

class Tile {
public:
    Tile(Isa isa, const TileShape& shape, std::int64_t k)
        : shape_(shape),
          product_{shape.rows, shape.panels, k, shape.vectors * lanes_of(isa)},
          out_(static_cast<std::size_t>(shape.rows * shape.panels) *
               static_cast<std::size_t>(product_.across)) {
        args_.tile.k = k;
        args_.tile.panels = product_.right.data();
        args_.tile.panel_stride = k * product_.across * static_cast<std::int64_t>(sizeof(float));
        args_.tile.prefetched = product_.right.data();
        for (int row = 0; row < shape.rows; ++row) {
            args_.tile.rows[row] = product_.left.data() + row * k;
            args_.tile.start[row] = product_.start.data();
            args_.out[row] = out_.data() + row * shape.panels * product_.across;
        }
    }

    StoreArgs& args() { return args_; }

    // expected(row, panel, column)
    template <typename Expected>
    void run(TileFunctions::Function function, Expected expected) {
        ASSERT_NE(function, nullptr);
        function(&args_);
        std::size_t at = 0;
        for (int row = 0; row < shape_.rows; ++row) {
            for (int panel = 0; panel < shape_.panels; ++panel) {
                for (std::int64_t column = 0; column < product_.across; ++column) {
                    ASSERT_EQ(out_[at++], expected(row, panel, column))
                        << shape_.rows << " rows, " << shape_.panels << " panels, k " << product_.k;
                }
            }
        }
    }

    const Product& product() const { return product_; }

private:
    TileShape shape_;
    Product product_;
    std::vector<float> out_;
    StoreArgs args_{};
};

class TileFunctionsOf : public testing::TestWithParam<Isa> {
protected:
    void SetUp() override {
        if (GetParam() > cpu_features().best()) GTEST_SKIP() << "not on this CPU";
    }
};

TEST_P(TileFunctionsOf, EveryShapeAndDepth) {
    for (int variant = 2; variant <= 9; ++variant) {
        const int vectors = variant / 2;
        const StoreCode code(GetParam(), vectors, variant % 2 == 0);
        for (int rows = 1; rows <= kMaxTileRows; ++rows) {
            for (int panels = 1; panels <= kMaxTilePanels; ++panels) {
                const TileShape shape{rows, panels, vectors};
                const auto function = code.functions.plain[rows][panels];
                ASSERT_EQ(function != nullptr, is_tile(GetParam(), shape));
                if (function == nullptr) continue;
                for (const std::int64_t k : {0, 1, 3, 4, 9}) {
                    Tile tile(GetParam(), shape, k);
                    tile.run(function, [&](auto... at) { return tile.product().chain(at...); });
                }
            }
        }
    }
}

// Vector v of panel p of the tile is panel p * vectors + v of the inputs.
TEST_P(TileFunctionsOf, AFusedInputComesAheadOfTheTilesOwnProduct) {
    const int lanes = lanes_of(GetParam());
    for (int vectors = 1; vectors <= 4; ++vectors) {
        const StoreCode code(GetParam(), vectors);
        for (int rows = 1; rows <= kMaxTileRows; ++rows) {
            for (int panels = 1; panels <= kMaxTilePanels; ++panels) {
                const TileShape shape{rows, panels, vectors};
                const bool expected = is_tile(GetParam(), shape) && rows <= kMaxFusedRows &&
                                      panels <= max_fused_panels(vectors);
                const auto function = code.functions.fused[rows][panels];
                ASSERT_EQ(function != nullptr, expected);
                if (function == nullptr) continue;
                Tile tile(GetParam(), shape, 5);
                const Product input{rows, panels * vectors, kInput, lanes};
                tile.args().tile.input.panels = input.right.data();
                tile.args().tile.input.start = input.start.data();
                for (int row = 0; row < rows; ++row) {
                    tile.args().tile.input.rows[row] = input.left.data() + row * kInput;
                }
                tile.run(function, [&](int row, int panel, std::int64_t column) {
                    const std::int64_t vector = panel * vectors + column / lanes;
                    return tile.product().chain(row, panel, column,
                                                input.chain(row, vector, column % lanes));
                });
            }
        }
    }
}

TEST_P(TileFunctionsOf, ATileThatLooksAheadComputesBothProducts) {
    const int lanes = lanes_of(GetParam());
    for (int vectors = 1; vectors <= 4; ++vectors) {
        const StoreCode code(GetParam(), vectors);
        for (int panels = 1; panels <= kMaxLookAheadTilePanels; ++panels) {
            const auto function = code.functions.look_ahead[panels];
            ASSERT_EQ(function != nullptr, can_look_ahead(GetParam(), ElementType::f32));
            if (function == nullptr) continue;
            for (const auto& [k, ahead_k] : {std::pair{5, 9}, {9, 5}, {4, 4}, {0, 3}, {3, 0}}) {
                Tile tile(GetParam(), {1, panels, vectors}, k);
                const Product ahead{kLookAheadSteps, kLookAheadPanels, ahead_k, lanes};
                std::vector<float> out(static_cast<std::size_t>(kLookAheadSteps) * 100);
                constexpr std::int64_t kFloat = sizeof(float);
                tile.args().tile.ahead = {ahead_k,
                                          ahead.right.data(),
                                          ahead_k * lanes * kFloat,
                                          ahead.start.data(),
                                          ahead.left.data(),
                                          ahead_k * kFloat,
                                          out.data(),
                                          100 * kFloat};
                tile.run(function, [&](auto... at) { return tile.product().chain(at...); });
                for (int row = 0; row < kLookAheadSteps; ++row) {
                    for (int column = 0; column < kLookAheadPanels * lanes; ++column) {
                        ASSERT_EQ(out[static_cast<std::size_t>(row * 100 + column)],
                                  ahead.chain(row, column / lanes, column % lanes))
                            << "k " << k << ", ahead " << ahead_k;
                    }
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Isas, TileFunctionsOf, testing::Values(Isa::avx2, Isa::avx512),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace rondo::cpu::jit::tile_functions_test
