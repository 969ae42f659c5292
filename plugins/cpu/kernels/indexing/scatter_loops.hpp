// Loops that let updates meet the elements of a tensor.
#pragma once

#include <cstdint>

#include "core/ops/indexing/functions.hpp"
#include "rondo/element_type.hpp"

namespace rondo::cpu {

/// Updates are taken in their order. Integers wrap; a boolean is true where its byte isn't 0.
struct ScatterLoops {
    /// Update i meets element places[i].
    void (*at)(void* data, const std::int64_t* places, const void* updates, std::int64_t count);
    /// Update i meets element i.
    void (*run)(void* data, const void* updates, std::int64_t count);
    /// Writes the value that a reduction begins with to element places[i].
    void (*reset)(void* data, const std::int64_t* places, std::int64_t count);
};

/// Null pointers for mean, and for f16 and bf16 unless the reduction is none.
ScatterLoops scatter_loops(ops::ScatterReduction reduction, ElementType type);

}  // namespace rondo::cpu
