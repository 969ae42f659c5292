// What nodes compute, as functions of formulas.
#pragma once

#include <optional>

#include "core/graph/node.hpp"
#include "core/ops/elementwise/functions.hpp"
#include "core/ops/recurrent/functions.hpp"
#include "transformations/cells/gate_algebra.hpp"

namespace rondo::passes {

/// The function of a node that is one of a cell's; nothing for others.
std::optional<ops::ActivationFunction> activation_of(const Node& node);

/// The sum, difference or product; nothing for other functions.
std::optional<GateFormula> combined(GateAlgebra& algebra, ops::BinaryFunction function,
                                    const GateFormula& a, const GateFormula& b);

}  // namespace rondo::passes
