#include "plugins/cpu/kernels/product/gemm.hpp"

#include <algorithm>
#include <cmath>

#include "plugins/cpu/kernels/product/quantized_rows.hpp"

namespace rondo::cpu {
namespace {

// T: the scalars, W: how B is stored.
template <typename T, typename W>
class PlainGemm final : public GemmKernel {
public:
    PlainGemm() : GemmKernel(kLanes, element_type_of<W>()) {}

    void run_panels(const PackedView& b, const GemmArgs& args, Range range) const override {
        for (std::int64_t m = 0; m < args.m; ++m) {
            const auto* a = static_cast<const T*>(a_row(args, m, sizeof(T)));
            auto* c = static_cast<T*>(c_row(args, m, sizeof(T)));
            for (std::int64_t panel = range.begin; panel < range.end; ++panel) {
                row_times_panel(b, a, c + panel * kLanes, panel);
            }
        }
    }

private:
    static constexpr int kLanes = lanes_of_plain<T>();

    static void row_times_panel(const PackedView& b, const T* a, T* c, std::int64_t panel) {
        const std::int64_t columns = std::min<std::int64_t>(kLanes, b.n - panel * kLanes);
        T sum[kLanes] = {};
        const T* bias = static_cast<const T*>(b.bias) + panel * kLanes;
        std::copy_n(bias, columns, sum);
        const W* weights = static_cast<const W*>(b.panels) + panel * b.k * kLanes;
        for (std::int64_t k = 0; k < b.k; ++k, weights += kLanes) {
            for (int j = 0; j < kLanes; ++j) {
                sum[j] = std::fma(a[k], static_cast<T>(weights[j]), sum[j]);
            }
        }
        std::copy_n(sum, columns, c);
    }
};

class PlainRoundingGemm final : public GemmKernel {
public:
    explicit PlainRoundingGemm(const WeightFormat& format)
        : GemmKernel(kLanes, format, numbers_of_step(Isa::plain, format)) {}

    void run_panels(const PackedView& b, const GemmArgs& args, Range range) const override {
        for (std::int64_t m = 0; m < args.m; ++m) {
            QuantizedRows rows(Isa::plain, format(), together(), b.k);
            rows.load(0, static_cast<const float*>(a_row(args, m, sizeof(float))));
            auto* c = static_cast<float*>(c_row(args, m, sizeof(float)));
            for (std::int64_t panel = range.begin; panel < range.end; ++panel) {
                row_times_panel(b, rows, c + panel * kLanes, panel);
            }
        }
    }

private:
    static constexpr int kLanes = lanes_of_plain<float>();

    void row_times_panel(const PackedView& b, const QuantizedRows& rows, float* c,
                         std::int64_t panel) const {
        float results[kLanes];
        const std::int64_t k = padded_k(b.k);
        const auto* weights = static_cast<const char*>(b.panels);
        const float* scales = b.scales == nullptr ? nullptr : b.scales + panel * kLanes;
        std::copy_n(static_cast<const float*>(b.bias) + panel * kLanes, kLanes, results);
        add_plain_product({format(), weights + panel * k * kLanes * weight_bytes(), scales, k / 2},
                          rows, kLanes, results);
        const std::int64_t columns = std::min<std::int64_t>(kLanes, b.n - panel * kLanes);
        std::copy_n(results, columns, c);
    }
};

constexpr int kVector = lanes_of_plain<float>(), kMostSums = 3;

void add_pair(const std::int16_t* row, const std::int8_t* weights, std::int32_t* sums) {
    for (int j = 0; j < kVector; ++j) {
        sums[j] += row[0] * weights[2 * j] + row[1] * weights[2 * j + 1];
    }
}

// Without the scales of row and columns.
void multiply_integers(const WeightFormat& format, const void* row, const void* weights,
                       std::int64_t pairs, int width, float* results) {
    const int row_planes = format.row_planes();
    const int vectors = width / kVector * format.weight_planes();
    std::int32_t sums[kMostSums][kMaxPlainWidth] = {};
    const auto* a = static_cast<const std::int16_t*>(row);
    const auto* b = static_cast<const std::int8_t*>(weights);
    for (std::int64_t pair = 0; pair < pairs; ++pair, a += 2 * row_planes) {
        for (int i = 0; i < vectors; ++i, b += 2 * kVector) {
            const int first = i / format.weight_planes() * kVector;
            std::int32_t(*to)[kMaxPlainWidth] = sums + i % format.weight_planes();
            for (int plane = 0; plane < row_planes; ++plane) {
                add_pair(a + 2 * plane, b, to[plane] + first);
            }
        }
    }
    for (int j = 0; j < width; ++j) {
        int power = format.sums() - 1;
        results[j] = static_cast<float>(sums[power][j]);
        while (--power >= 0) {
            results[j] = std::fma(results[j], 256.0F, static_cast<float>(sums[power][j]));
        }
    }
}

void add_bf16(const void* row, const void* weights, std::int64_t pairs, int width, float* results) {
    const auto* a = static_cast<const float*>(row);
    const auto* b = static_cast<const bfloat16*>(weights);
    for (std::int64_t first = 0; first < pairs; first += kBf16Chain / 2) {
        float chains[2][kMaxPlainWidth] = {};  // of even numbers, of odd ones
        const std::int64_t end = std::min(pairs, first + kBf16Chain / 2);
        for (std::int64_t pair = first; pair < end; ++pair) {
            for (int i = 0; i < 2 * width; ++i) {
                float& sum = chains[i % 2][i / 2];
                sum =
                    std::fma(a[2 * pair + i % 2], static_cast<float>(b[2 * pair * width + i]), sum);
            }
        }
        for (int j = 0; j < width; ++j) results[j] += chains[0][j] + chains[1][j];
    }
}

}  // namespace

void add_plain_product(const PlainPanel& panel, const QuantizedRows& rows, int width,
                       float* results) {
    if (panel.format.chains_pairs()) {
        return add_bf16(rows.row(0), panel.weights, panel.pairs, width, results);
    }
    float products[kMaxPlainWidth];
    multiply_integers(panel.format, rows.row(0), panel.weights, panel.pairs, width, products);
    for (int j = 0; j < width; ++j) {
        results[j] = std::fma(products[j] * rows.scales()[0], panel.scales[j], results[j]);
    }
}

std::unique_ptr<GemmKernel> make_plain_gemm(const WeightFormat& format) {
    if (format.rounds_rows()) return std::make_unique<PlainRoundingGemm>(format);
    switch (format.type) {
        case ElementType::f64: return std::make_unique<PlainGemm<double, double>>();
        case ElementType::f16: return std::make_unique<PlainGemm<float, float16>>();
        case ElementType::bf16: return std::make_unique<PlainGemm<float, bfloat16>>();
        default: return std::make_unique<PlainGemm<float, float>>();
    }
}

}  // namespace rondo::cpu
