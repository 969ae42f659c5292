// Makes the plain C++ functions: the fallback for any CPU and the yardstick of the generated ones.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/elementwise/elementwise.hpp"

namespace rondo::cpu {

std::unique_ptr<UnaryKernel> make_plain_unary(const UnaryConfig& config);

}  // namespace rondo::cpu
