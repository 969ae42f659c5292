// What a recurrent step reads.
#pragma once

#include <cstddef>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// A tensor of rank 3 that a step reads one part of: along axis 0 or 1; features lie in axis 2.
struct StepInput {
    Output tensor;
    std::size_t time_axis = 0;
    friend bool operator==(const StepInput&, const StepInput&) = default;
};

}  // namespace rondo::passes
