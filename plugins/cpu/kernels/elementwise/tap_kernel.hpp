// Combines the lines of data that the taps of a sliding window meet.
#pragma once

#include <cstdint>
#include <memory>

#include "plugins/cpu/kernels/machine/cpu_features.hpp"

namespace rondo::cpu {

/// What becomes of line t of all taps, element by element, in the order of t.
enum class TapFunction : std::uint8_t {
    weighted_sum,  ///< the sum of factor t * line t, each step a fused multiply-add
    product_sum,   ///< the same with a line of factors for each tap
    sum,
    maximum,  ///< NaN where one is NaN; minus infinity without taps
};

struct TapConfig {
    TapFunction function = TapFunction::sum;
    Precision precision = Precision::f32;
    friend bool operator==(const TapConfig&, const TapConfig&) = default;
};

/// Rows of positions that lie side by side in every line.
struct TapRun {
    const void* const* lines = nullptr;  ///< for each tap what position 0 meets
    const void* factors = nullptr;       ///< a scalar a tap, or the line of tap 0
    std::int64_t factor_stride = 0;      ///< bytes from a tap's line of factors to the next
    std::int64_t taps = 0;
    void* out = nullptr;
    std::int64_t count = 0;  ///< positions of a row
    std::int64_t rows = 1;
    std::int64_t line_step = 0;  ///< bytes from a row to the next, in lines (also of factors)
    std::int64_t out_step = 0;   ///< and in `out`
};

/// The same bits from every variant. Immutable, usable from many threads, independent of sizes.
class TapKernel {
public:
    virtual ~TapKernel() = default;

    /// The instruction set that it is made for.
    virtual Isa isa() const { return Isa::plain; }

    /// `out` must not overlap a line.
    virtual void run(const TapRun& run) const = 0;
};

std::unique_ptr<TapKernel> make_plain_taps(const TapConfig& config);

}  // namespace rondo::cpu
