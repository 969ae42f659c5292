// Makes plans.
#pragma once

#include <memory>

#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// Infers every shape, computes what follows from the shapes alone, prepares the calls and places
/// their tensors. Throws ModelError naming the node whose shapes don't
/// fit, or the memory where the machine hasn't got so much.
std::shared_ptr<const Plan> make_plan(const Program& program, const PlanKey& key, int threads);

}  // namespace rondo::cpu
