// Makes the plain C++ cells: the fallback for any CPU and the yardstick of the generated ones.
#pragma once

#include <memory>

#include "plugins/cpu/kernels/cell/cell_kernel.hpp"

namespace rondo::cpu {

std::unique_ptr<CellKernel> make_plain_cell(const CellConfig& config);

}  // namespace rondo::cpu
