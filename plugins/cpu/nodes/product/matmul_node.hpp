// A product that starts from a bias instead of from zero.
#pragma once

#include <memory>

#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// The Add behind a MatMul that can be part of it, or null: everything is f32, the right side is a
/// constant matrix [K,N], nobody else reads the product, and what is added is a constant row of N.
const Node* absorbable_bias(const Node& matmul);

/// The node for `matmul` and the Add that absorbable_bias() found, with the Add's output.
std::unique_ptr<CpuNode> make_biased_matmul_node(const Node& matmul, const Node& add,
                                                 const CompileContext& context);

}  // namespace rondo::cpu
