// Runs the samples of ops, each alone, on the kernels of the CPU.
#pragma once

#include <string_view>
#include <vector>

#include "core/ops/op_list.hpp"
#include "plugins/cpu/kernels/machine/cpu_features.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"
#include "rondo/error.hpp"
#include "tests/unit/plugins/cpu/nodes/op_samples.hpp"

namespace rondo::test {

/// Not ops that hold or hand on tensors: the program knows them, they don't run. Nor ops with
/// bodies, which run programs; the tests of control nodes run them on random graphs.
bool computes(std::string_view op);

/// Random inputs whose data is of that type.
std::vector<Tensor> values_of(const OpSample& sample, ElementType type);

/// `is_open`: data has an open type in the graph. Throws where the op doesn't take the type.
NodePtr make_op(const ops::OpEntry& entry, const OpSample& sample,
                const std::vector<Tensor>& values, bool is_open = false);
/// Whether make_op() has thrown for the type; any other refusal is a fault of the sample.
bool is_about_types(const Error& error);

/// The standard op of the sample, or Rondo's own.
const ops::OpEntry* entry_of(const OpSample& sample);

/// Runs the node as a program would. Constants' elements are known when the call is made.
std::vector<Tensor> run_on_cpu(const Node& node, const OpSample& sample,
                               const std::vector<Tensor>& values, cpu::Isa isa);
/// Likewise on a kernel that has been made.
std::vector<Tensor> run_kernel(const cpu::CpuNode& kernel, const Node& node, const OpSample& sample,
                               const std::vector<Tensor>& values);

/// The distance from 1 to the next number; 0 of types that aren't floating.
double epsilon_of(ElementType type);

}  // namespace rondo::test
