// A matrix times one column.
#pragma once

#include <memory>
#include <optional>

#include "plugins/cpu/kernels/product/gemm.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "plugins/cpu/nodes/common/epilogue.hpp"
#include "plugins/cpu/nodes/product/matmul_sizes.hpp"

namespace rondo::cpu {

/// True for products of all rows of input 0 with one column, the same for all, where vectors of
/// columns would stay empty but rows fill them.
bool suits_column(const CallSite& site, const MatMulSizes& sizes);

/// The call of such a product, whose inputs have the kernel's precision: some rows at a time are
/// packed as if they were columns of a right side. The sums are those of any other call.
std::unique_ptr<Call> make_column_call(const GemmKernel& kernel, const CallSite& site,
                                       const MatMulSizes& sizes, std::optional<Epilogue> epilogue);

}  // namespace rondo::cpu
