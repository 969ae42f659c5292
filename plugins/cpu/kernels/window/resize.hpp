// Resizes axes of a block of numbers, one after another: each number is a weighted sum of some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/ops/window/axis_taps.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// An axis of the block; `taps` is empty where the axis stays as it is.
struct ResizeAxis {
    std::int64_t input = 1;
    std::int64_t output = 1;
    ops::AxisTaps taps;
};

struct ResizeConfig {
    ElementType type = ElementType::f32;  ///< f32, f64 or an integer
    std::vector<ResizeAxis> axes;         ///< outermost first; none is empty
    double extrapolation = 0;             ///< the number of extrapolated places
    int threads = 1;
};

/// scratch: Resize::scratch_bytes() bytes on a cache line.
struct ResizeArgs {
    const void* data = nullptr;
    void* out = nullptr;
    void* scratch = nullptr;
};

/// Immutable, usable from many threads. f32 and integers of 8 and 16 bits are computed in f32, the
/// others in f64; integers are rounded, halves to the even one, and bounded by their type.
class Resize {
public:
    virtual ~Resize() = default;
    virtual std::size_t scratch_bytes() const = 0;
    virtual void run(const ResizeArgs& args, Team& team) const = 0;
};

/// At least one axis has taps.
std::unique_ptr<Resize> make_resize(const ResizeConfig& config);

}  // namespace rondo::cpu
