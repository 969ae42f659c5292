// Makes the plain C++ form of elementwise programs: the fallback, and the yardstick of generated
// code.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/elementwise/elementwise_kernel.hpp"

namespace rondo::cpu {

std::unique_ptr<ElementwiseKernel> make_plain_elementwise(const ElementwiseProgram& program);

}  // namespace rondo::cpu
