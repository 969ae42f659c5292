// The form in which each portable pass leaves a graph, so that no two undo each other's work.
#pragma once

#include <span>

namespace rondo::passes {

struct PassForms {
    const char* pass;
    /// What stands where the pass has made something.
    const char* leaves;
    /// What it takes as it is, since other passes leave that.
    const char* accepts;
};

/// In the order of portable_passes(). docs/transformations.md shows them.
std::span<const PassForms> portable_forms();

}  // namespace rondo::passes
