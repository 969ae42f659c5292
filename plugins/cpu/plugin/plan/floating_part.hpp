// What a plan says of the steps whose sizes each run finds.
#pragma once

#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/plan/shape_walk.hpp"

namespace rondo::cpu {

/// The floating steps among the plan's calls, and the floating inputs and results of the program.
FloatingPart floating_part(const Program& program, const ShapeWalk& walk, const Plan& plan);

}  // namespace rondo::cpu
