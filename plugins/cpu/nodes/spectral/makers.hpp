// Declares the makers of the spectral nodes; the bodies live in one file an op.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

// keep-sorted
std::unique_ptr<CpuNode> make_fourier_node(const Node& node, const CompileContext& context);
std::unique_ptr<CpuNode> make_stft_node(const Node& node, const CompileContext& context);

}  // namespace rondo::cpu
