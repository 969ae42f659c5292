// Elementwise ops of the graph as programs of the kernels.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plugins/cpu/kernels/elementwise/program.hpp"
#include "plugins/cpu/ops/fused_op.hpp"

namespace rondo::cpu {

/// The op as a step without operands; nothing if a program can't have it: a function
/// without vector math, or elements that are neither f32, f64 nor boolean. x to the power of 2, a
/// constant, is x times x.
std::optional<ProgramStep> step_of(const Node& op);

/// The number that a program holds in place of an input: that of a constant with one f32 or f64.
std::optional<double> known_number(const Output& input);

/// What a program computes in: the type of the op's numbers; nothing if it has only truth values.
std::optional<Precision> precision_of(const Node& op);

/// A program, and which of the node's inputs each of its inputs is. An epilogue also reads the
/// value of the part before it: that is input number `node.input_count()`.
struct NodeProgram {
    ElementwiseProgram program;
    std::vector<std::size_t> inputs;
};

/// The program of a single op, or of a FusedOp whose parts are all steps. Constants of one element
/// become steps. Nothing if it would have too many inputs or steps, or where step_of() has none.
std::optional<NodeProgram> program_of(const Node& node);

/// The program of the parts [first, last) of a fused op; nothing if they read a part before the
/// last one of those in front of them, or as above.
std::optional<NodeProgram> program_of(const FusedOp& op, std::size_t first, std::size_t last);

}  // namespace rondo::cpu
