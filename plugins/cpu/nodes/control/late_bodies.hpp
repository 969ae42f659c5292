// Runs a choice or loop whose shapes only the run itself finds.
#pragma once

#include <memory>
#include <span>

#include "core/ops/control/body_op.hpp"
#include "plugins/cpu/nodes/common/body.hpp"

namespace rondo::cpu {

/// Slower than a call: results of iterations are tensors of their own.
std::unique_ptr<LateRun> make_late_bodies(const ops::BodyOp& op,
                                          std::span<const std::unique_ptr<Body>> bodies);

}  // namespace rondo::cpu
