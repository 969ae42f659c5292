// Elementwise ops of the graph as programs of the kernels.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/elementwise/program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// The op as a step without operands; nothing if a program can't have it: a function
/// without vector math, or elements that are neither f32, f64 nor boolean.
std::optional<ProgramStep> step_of(const Node& op);

/// What a program computes in: the type of the op's numbers; nothing if it has only truth values.
std::optional<Precision> precision_of(const Node& op);

/// A program, and which of the node's inputs each of its inputs is.
struct NodeProgram {
    ElementwiseProgram program;
    std::vector<std::size_t> inputs;
};

/// The program of a single op, or of a FusedOp whose parts are all steps. Constants of one element
/// become steps. Nothing if it would have too many inputs or steps, or where step_of() has none.
std::optional<NodeProgram> program_of(const Node& node);

}  // namespace rondo::cpu
