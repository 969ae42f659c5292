// Represents a graph as a flat list of steps, each with its executable node.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

/// Number of a tensor that flows through the program: a node's output.
using ValueId = std::size_t;

/// One op and its executable node.
struct Step {
    std::unique_ptr<CpuNode> kernel;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::optional<std::size_t> variable;  ///< the one that a ReadValue reads

    const Node& node() const { return kernel->node(); }
};

/// Immutable; has no sizes that may change.
struct Program {
    std::shared_ptr<Graph> graph;
    std::vector<Step> steps;        ///< without parameters, constants, results and Assigns
    std::vector<Tensor> constants;  ///< a slot a value; empty if it isn't constant; may be released
    std::vector<ValueId> parameters;  ///< the values of the inputs
    std::vector<ValueId> results;     ///< the values of the outputs
    std::vector<ValueId> read;        ///< a variable each: its value before the inference
    std::vector<ValueId> assigned;    ///< a variable each: its value after the inference
    ModelLimits limits = {};          ///< for its plans
};

/// What compiling must keep to.
struct CompileLimits {
    ModelLimits model = {};
    Deadline deadline = {};
    /// Null where constants keep their elements. Else large ones are released as soon as all of
    /// their readers have packed them, and this is set if there was one.
    std::shared_ptr<bool> released = {};
};

/// Makes a node for each op. Throws UnsupportedError naming the first that can't run here, or that
/// comes after the deadline.
Program make_program(std::shared_ptr<Graph> graph, const CompileContext& context,
                     const CompileLimits& limits = {});

/// Sets the values of the outputs where the inputs' elements, or the shapes where only they count,
/// give them; false where they don't, or where a run computes them as cheaply. The bits are those
/// that a run computes: numbers of floating types come from the step's kernel.
bool find_values(const Step& step, std::span<const TensorInfo* const> inputs,
                 std::span<TensorInfo> outputs);

}  // namespace rondo::cpu
