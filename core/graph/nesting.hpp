// How deep bodies may be nested in each other.
#pragma once

#include <cstddef>
#include <string>

#include "core/support/model_limits.hpp"
#include "rondo/error.hpp"
#include "rondo/properties.hpp"

namespace rondo {

/// Throws UnsupportedError where `bodies`, `loops` of which are loops', are more than the limits
/// allow in each other.
inline void check_nesting(std::size_t bodies, std::size_t loops, const ModelLimits& limits) {
    const auto check = [](const char* what, std::size_t depth, std::size_t most,
                          const char* property) {
        if (depth <= most) return;
        throw UnsupportedError(std::string(what) + " are nested too deep; " +
                               limit_text(most, property));
    };
    check("bodies", bodies, limits.depth, property::kMaxDepth);
    check("loops", loops, limits.loop_depth, property::kMaxLoopDepth);
}

}  // namespace rondo
