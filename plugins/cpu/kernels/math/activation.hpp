// The activation functions of recurrent cells, as the recurrent ops have them.
#pragma once

#include "core/ops/recurrent/functions.hpp"

namespace rondo::cpu {

using ops::ActivationKind;
using ops::default_activation;
/// A function and its parameters.
using Activation = ops::ActivationFunction;

}  // namespace rondo::cpu
