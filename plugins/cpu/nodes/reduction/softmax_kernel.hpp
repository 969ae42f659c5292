// Chooses the kernel of a SoftMax or LogSoftmax.
#pragma once

#include <memory>

#include "core/graph/node.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/kernels/reduction/softmax.hpp"

namespace rondo::cpu {

/// For rows of that precision; `node` is one of the two ops.
std::unique_ptr<const RowKernel> make_softmax_kernel(const Node& node, Isa isa,
                                                     Precision precision);

}  // namespace rondo::cpu
