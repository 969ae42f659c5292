// Moves elements round along axes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::cpu {

/// A row-major tensor of rank 1 or more.
struct RollSizes {
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> steps;  ///< bytes between neighbours of each axis
};

/// Writes the places [begin, end) of the output's axis 0: place p of an axis holds what is at
/// p - shift in `data`, counted round. `shifts`: one for each axis, from 0 to its extent - 1.
void roll(const RollSizes& sizes, std::span<const std::int64_t> shifts, const void* data, void* out,
          std::int64_t begin, std::int64_t end);

}  // namespace rondo::cpu
