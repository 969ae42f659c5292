// Takes elements of planes at points between them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "core/ops/window/grid_taps.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// data [batch, channels, extents...], grid [batch, points, spatial], out [batch, channels,
/// points].
struct GridSizes {
    std::int64_t batch = 1;
    std::int64_t channels = 1;
    std::int64_t points = 1;
    std::int64_t spatial = 2;  ///< 1 to 3
    std::array<std::int64_t, 3> extents{1, 1, 1};
};

struct GridArgs {
    const void* data = nullptr;
    const void* grid = nullptr;
    void* out = nullptr;
};

/// Immutable, usable from many threads.
class GridSampler {
public:
    virtual ~GridSampler() = default;
    virtual void run(const GridArgs& args, Team& team) const = 0;
};

/// `type`: f32 or f64, or any with the mode nearest; `grid_type`: floating. None of batch, channels
/// and points is 0.
std::unique_ptr<GridSampler> make_grid_sampler(ElementType type, ElementType grid_type,
                                               const ops::GridRule& rule, const GridSizes& sizes);

}  // namespace rondo::cpu
