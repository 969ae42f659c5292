// Runs a choice whose shapes only the run itself finds.
#pragma once

#include <memory>
#include <span>

#include "core/ops/control/if.hpp"
#include "plugins/cpu/nodes/common/body.hpp"

namespace rondo::cpu {

/// Slower than a call, since shapes are compared in each run; shapes that came before cost no
/// allocation.
std::unique_ptr<LateRun> make_late_choice(const ops::If& op,
                                          std::span<const std::unique_ptr<Body>> branches);

}  // namespace rondo::cpu
