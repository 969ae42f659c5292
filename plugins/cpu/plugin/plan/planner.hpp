// Makes plans.
#pragma once

#include <memory>

#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// Infers every shape that the key settles, computes what follows from shapes alone, prepares the
/// calls and places their tensors. If a shape depends on elements that the calls compute, the
/// plan ends there and names the values to read and the extents to find (Plan::end). Throws
/// ModelError naming the node whose shapes don't fit, or the memory if it exceeds the machine's;
/// UnsupportedError naming a node whose shapes no element determines.
std::shared_ptr<const Plan> make_plan(const Program& program, const PlanKey& key, int threads);

}  // namespace rondo::cpu
