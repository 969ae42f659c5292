// Makes plans.
#pragma once

#include <memory>
#include <span>

#include "plugins/cpu/plugin/plan.hpp"

namespace rondo::cpu {

/// Infers every shape, computes what follows from the shapes alone, prepares the calls and places
/// their tensors. `shapes`: of the parameters. Throws ModelError naming the node whose shapes don't
/// fit, or the memory where the machine hasn't got so much.
std::shared_ptr<const Plan> make_plan(const Program& program, std::span<const Shape> shapes,
                                      int threads);

}  // namespace rondo::cpu
