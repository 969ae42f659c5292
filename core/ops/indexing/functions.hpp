// What a scatter does with an element and the update that meets it.
#pragma once

#include <cstdint>

namespace rondo::ops {

/// Updates meet an element in their own order. If elements are booleans, sum and max are "or",
/// prod and min "and"; sub and mean don't take them.
enum class ScatterReduction : std::uint8_t {
    none,  ///< the last update stays
    sum,
    sub,  ///< the element minus all updates
    prod,
    min,   ///< NaN stays, as in Minimum
    max,   ///< likewise
    mean,  ///< integers round towards zero
};

}  // namespace rondo::ops
