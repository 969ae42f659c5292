// Pools: the greatest element or the mean of what a sliding window covers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/cpu/kernels/elementwise/tap_kernel.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "plugins/cpu/kernels/window/windows.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// data [planes, spatial...], out [planes, spatial...].
struct PoolSizes {
    std::int64_t planes = 1;
    std::array<WindowAxis, 3> axes;
};

/// scratch: Pool::scratch_bytes() bytes on a cache line.
struct PoolArgs {
    const void* data = nullptr;
    void* out = nullptr;
    void* places = nullptr;  ///< null where nothing reads them
    void* scratch = nullptr;
};

/// A pool of known sizes, none of which is 0. Immutable, usable from many threads.
class Pool {
public:
    virtual ~Pool() = default;
    virtual std::size_t scratch_bytes() const { return 0; }
    virtual void run(const PoolArgs& args, Team& team) const = 0;
};

/// The greatest element of f32 or f64, line by line, without places. `kernel`: maximum of that
/// precision; it must outlive the pool.
std::unique_ptr<Pool> make_max_pool(const TapKernel& kernel, Precision precision,
                                    const PoolSizes& sizes, int threads);

/// The greatest element of any number type, window by window. `places`: the type of the places,
/// i64 or i32, each counted from the start of its block of `block` elements.
struct PlaceConfig {
    ElementType type = ElementType::i64;
    std::int64_t block = 1;
};
std::unique_ptr<Pool> make_pool_with_indices(ElementType type, const PoolSizes& sizes,
                                             const PlaceConfig& places);

/// The mean: sums over the product of the three axes' counts. `counts`: for each axis an entry an
/// output, at least 1. `kernel`: sum of that precision, or null for sums window by window.
using PoolCounts = std::array<std::vector<std::int64_t>, 3>;
std::unique_ptr<Pool> make_average_pool(const TapKernel* kernel, Precision precision,
                                        const PoolSizes& sizes, PoolCounts counts, int threads);

}  // namespace rondo::cpu
