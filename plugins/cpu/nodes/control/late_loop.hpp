// Runs a loop whose shapes only the run itself finds.
#pragma once

#include <memory>

#include "core/ops/control/iterated_op.hpp"
#include "plugins/cpu/nodes/common/body.hpp"

namespace rondo::cpu {

/// Slower than a call, since shapes are compared in each iteration. Shapes and numbers of
/// iterations that came before cost no allocation, except where there is no iteration.
std::unique_ptr<LateRun> make_late_loop(const ops::IteratedOp& op, const Body& body);

}  // namespace rondo::cpu
