// Outputs whose elements follow from shapes and constants alone, computed while planning.
#pragma once

#include <span>
#include <vector>

#include "plugins/cpu/plugin/plan/program.hpp"

namespace rondo::cpu {

/// Sets the values of the outputs where the inputs' elements, or the shapes where only they count,
/// give them; false where they don't, or where a run computes them as cheaply. The bits are those
/// that a run computes: numbers of floating types come from the step's kernel.
bool find_values(const Step& step, std::span<const TensorInfo* const> inputs,
                 std::span<TensorInfo> outputs);

}  // namespace rondo::cpu
