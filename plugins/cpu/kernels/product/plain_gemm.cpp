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

// Sums of integers.
class PlainIntegerGemm final : public GemmKernel {
public:
    PlainIntegerGemm()
        : GemmKernel(kLanes, ElementType::i8, numbers_of_step(Isa::plain, ElementType::i8)) {}

    void run_panels(const PackedView& b, const GemmArgs& args, Range range) const override {
        for (std::int64_t m = 0; m < args.m; ++m) {
            QuantizedRows rows(Isa::plain, together(), b.k);
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
        std::int32_t sums[kLanes] = {};
        const std::int64_t k = padded_k(b.k);
        add_plain_pairs(static_cast<const std::int16_t*>(rows.row(0)),
                        static_cast<const std::int8_t*>(b.panels) + panel * k * kLanes, k / 2,
                        kLanes, sums);
        const float* bias = static_cast<const float*>(b.bias) + panel * kLanes;
        const std::int64_t columns = std::min<std::int64_t>(kLanes, b.n - panel * kLanes);
        for (std::int64_t j = 0; j < columns; ++j) {
            c[j] = std::fma(static_cast<float>(sums[j]), rows.scales()[0], bias[j]);
        }
    }
};

}  // namespace

void add_plain_pairs(const std::int16_t* row, const std::int8_t* weights, std::int64_t pairs,
                     int width, std::int32_t* sums) {
    for (std::int64_t pair = 0; pair < pairs; ++pair, row += 2, weights += 2 * width) {
        for (int j = 0; j < width; ++j) {
            sums[j] += row[0] * weights[2 * j] + row[1] * weights[2 * j + 1];
        }
    }
}

std::unique_ptr<GemmKernel> make_plain_gemm(ElementType weights) {
    switch (weights) {
        case ElementType::f64: return std::make_unique<PlainGemm<double, double>>();
        case ElementType::f16: return std::make_unique<PlainGemm<float, float16>>();
        case ElementType::bf16: return std::make_unique<PlainGemm<float, bfloat16>>();
        case ElementType::i8: return std::make_unique<PlainIntegerGemm>();
        default: return std::make_unique<PlainGemm<float, float>>();
    }
}

}  // namespace rondo::cpu
