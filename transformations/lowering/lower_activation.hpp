// Writes an activation function of a recurrent op as standard elementwise ops.
#pragma once

#include "core/ops/recurrent/functions.hpp"
#include "transformations/lowering/formula.hpp"

namespace rondo::passes {

/// function(x), for x of f32 or f64.
Output lower_activation(const Formula& by, const ops::ActivationFunction& function,
                        const Output& x);

}  // namespace rondo::passes
