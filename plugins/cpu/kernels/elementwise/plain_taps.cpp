// Implements the tap kernels in plain C++: the fallback, and the yardstick of generated code.
#include <algorithm>
#include <cmath>
#include <limits>

#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/threads/share.hpp"

namespace rondo::cpu {
namespace {

constexpr std::int64_t kTapBlock = 64;  // positions that are computed at once

template <typename T>
class PlainTaps final : public TapKernel {
public:
    explicit PlainTaps(TapFunction function) : function_(function) {}

    void run(const TapRun& run) const override {
        for (std::int64_t row = 0; row < run.rows; ++row) {
            for (std::int64_t at = 0; at < run.count; at += kTapBlock) {
                run_block(run, row, {at, std::min(at + kTapBlock, run.count)});
            }
        }
    }

private:
    void run_block(const TapRun& run, std::int64_t row, Range positions) const {
        const std::int64_t count = positions.size();
        const std::int64_t at = row * run.line_step + positions.begin * std::int64_t{sizeof(T)};
        T so_far[kTapBlock];
        const bool is_maximum = function_ == TapFunction::maximum;
        std::fill_n(so_far, count, is_maximum ? -std::numeric_limits<T>::infinity() : T{0});
        for (std::int64_t tap = 0; tap < run.taps; ++tap) {
            const T* line = moved(run.lines[tap], at);
            const T* factors = factors_of(run, tap, at);
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t factor = function_ == TapFunction::product_sum ? i : 0;
                so_far[i] =
                    combined(so_far[i], line[i], factors == nullptr ? nullptr : factors + factor);
            }
        }
        auto* out = static_cast<char*>(run.out) + row * run.out_step;
        std::copy_n(so_far, count, reinterpret_cast<T*>(out) + positions.begin);
    }

    static const T* moved(const void* line, std::int64_t bytes) {
        return reinterpret_cast<const T*>(static_cast<const char*>(line) + bytes);
    }

    // The factors of a tap from `at` bytes after those of its line on, or the tap's only factor.
    const T* factors_of(const TapRun& run, std::int64_t tap, std::int64_t at) const {
        if (function_ == TapFunction::weighted_sum) {
            return static_cast<const T*>(run.factors) + tap;
        }
        if (function_ != TapFunction::product_sum) return nullptr;
        return moved(run.factors, tap * run.factor_stride + at);
    }

    T combined(T so_far, T x, const T* factor) const {
        switch (function_) {
            case TapFunction::weighted_sum:
            case TapFunction::product_sum: return std::fma(*factor, x, so_far);
            case TapFunction::sum: return so_far + x;
            case TapFunction::maximum: return larger(so_far, x);
        }
        return so_far;
    }

    // The second where they are equal.
    static T larger(T a, T b) { return a != a || a > b ? a : b; }

    TapFunction function_;
};

}  // namespace

std::unique_ptr<TapKernel> make_plain_taps(const TapConfig& config) {
    if (config.precision == Precision::f64) {
        return std::make_unique<PlainTaps<double>>(config.function);
    }
    return std::make_unique<PlainTaps<float>>(config.function);
}

}  // namespace rondo::cpu
