#include "plugins/cpu/kernels/plain_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace rondo::cpu {
namespace {

constexpr int kLanes = 8;

class PlainGemm final : public GemmKernel {
public:
    PlainGemm() : GemmKernel(kLanes) {}

    void run_panels(const PackedView& b, const GemmArgs& args, PanelRange range) const override {
        for (std::int64_t m = 0; m < args.m; ++m) {
            const float* a = args.a_rows != nullptr ? args.a_rows[m] : args.a + m * args.a_stride;
            float* c = args.c_rows != nullptr ? args.c_rows[m] : args.c + m * args.c_stride;
            for (std::int64_t panel = range.begin; panel < range.end; ++panel) {
                row_times_panel(b, a, c + panel * kLanes, panel, args.accumulate);
            }
        }
    }

private:
    static void row_times_panel(const PackedView& b, const float* a, float* c, std::int64_t panel,
                                bool accumulate) {
        const std::int64_t columns = std::min<std::int64_t>(kLanes, b.n - panel * kLanes);
        float sum[kLanes] = {};
        std::copy_n(accumulate ? c : b.bias + panel * kLanes, columns, sum);
        const float* weights = b.panels + panel * b.k * kLanes;
        for (std::int64_t k = 0; k < b.k; ++k, weights += kLanes) {
            for (int j = 0; j < kLanes; ++j) sum[j] = std::fma(a[k], weights[j], sum[j]);
        }
        std::copy_n(sum, columns, c);
    }
};

}  // namespace

std::unique_ptr<GemmKernel> make_plain_gemm() { return std::make_unique<PlainGemm>(); }

}  // namespace rondo::cpu
