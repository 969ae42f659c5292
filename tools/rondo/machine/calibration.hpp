// What this machine can do at most: multiply-adds a second, and bytes a second from each cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/calibration_kernels.hpp"

namespace rondo::tool {

/// Rates of several runs of one loop, in 1e9 a second, all threads together.
struct Rate {
    double best = 0;
    double median = 0;
};

struct LevelRate {
    std::string level;            ///< "l1", "l2", "l3" or "memory"
    std::int64_t bytes_each = 0;  ///< what each thread read over and over
    Rate gigabytes;
};

struct Calibration {
    int threads = 1;
    Rate gigaflops;  ///< f32, a multiply-add counts as two
    std::vector<LevelRate> reads;
};

struct CalibrationOptions {
    double seconds_each = 0.25;     ///< for each figure
    std::int64_t memory_bytes = 0;  ///< read by all threads together; 0: twice the last cache
    std::string level = {};         ///< the one to read; empty: all
};

/// Bytes of the caches.
struct CacheSizes {
    std::int64_t l1 = 32 * 1024;   ///< data, a core
    std::int64_t l2 = 512 * 1024;  ///< a core
    std::int64_t l3 = 0;           ///< shared; 0 if there is none
};

/// As the C library knows them.
CacheSizes cache_sizes();

/// Each thread is kept on a CPU of its own if there are enough, works on memory of its own, and
/// all start together. `set` must be one that the CPU has.
Calibration calibrate(VectorSet set, const CacheSizes& caches, int threads,
                      const CalibrationOptions& options);

}  // namespace rondo::tool
