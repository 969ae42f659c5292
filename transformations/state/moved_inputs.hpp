// Ops that pass elements on as they are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/ops/elementwise/convert.hpp"

namespace rondo::passes {

/// How many of the node's inputs, from the first one on, hold elements that its outputs consist of,
/// only moved or converted; 0 for an op that computes.
inline std::size_t moved_inputs(const Node& node) {
    if (as_op<ops::Convert>(node) != nullptr) return 1;
    const OpTraits traits = node.traits();
    return traits.moves_elements ? std::min(traits.data_inputs, node.input_count()) : 0;
}

}  // namespace rondo::passes
