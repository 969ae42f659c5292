// Finds the states of ops and what is known of their first values, and makes the variables and
// zeros that replace these.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/extents/integers.hpp"
#include "core/graph/node.hpp"
#include "core/ops/elementwise/elementwise_ops.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "core/support/unique_names.hpp"
#include "transformations/analysis/step_values.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// As moved_inputs(), also through a Convert.
inline std::size_t moved_or_converted_inputs(const Node& node) {
    return as_op<ops::Convert>(node) != nullptr ? 1 : moved_inputs(node);
}

/// The axis along which a Concat joins its inputs; nothing for other nodes, or an open rank.
std::optional<std::size_t> joined_axis(const Node& node);

/// An axis of an output along which the rows are those of an input's axis, by themselves.
struct OutputRows {
    std::size_t output;
    std::size_t axis;
    IndependentAxis rows;
};
/// All of them, or nothing if a rank isn't known.
std::optional<std::vector<OutputRows>> rows_of_input(const Node& node, std::size_t input,
                                                     std::size_t axis);

/// True where all elements are known to be zero.
bool is_zero(const Output& value);

/// True where the elements of no input and no variable decide the value: it follows from constants
/// and from shapes alone, so that it is the same at the start of each sequence.
bool is_always_the_same(const Output& value);

/// True where the elements are those of inputs, variables and constants, only moved or converted.
bool is_fed(const Output& value);

/// True where an element is that of a variable, only moved or converted.
bool is_kept(const Output& value);

/// The recurrent op for which a last state of `op` is the first one, if there is one.
const ops::RecurrentOp* next_layer(const ops::RecurrentOp& op);

/// True for a loop that takes or joins parts from the last one to the first, and for a sequence
/// that goes from the last step to the first, or whose X is reversed along time.
bool runs_backwards(const Node& node);

/// A state of a recurrent op, or a loop-carried value.
struct OpState {
    std::size_t port;    ///< the input that holds its first value
    std::size_t last;    ///< the output of its last value; of a loop, the result of the body
    PartialShape shape;  ///< what is known of it, before and after the op
    std::string id;      ///< of its variable: "<op>/variable_<number>", or
                         ///< "<loop>/<parameter of its body>/variable_<its input>"
};
/// In the order of ports; none for other nodes.
std::vector<OpState> states_of(const Node& node);

/// The ids of a graph's variables.
UniqueNames variable_ids(const Graph& graph);

/// Puts variables before inputs of nodes. Lives as long as one run of a pass, which ends with
/// finish().
class VariableMaker {
public:
    explicit VariableMaker(Graph& graph)
        : graph_(graph), rewriter_(graph), ids_(variable_ids(graph)) {}

    Rewriter& rewriter() { return rewriter_; }
    /// Makes the op start the state from a variable, whose next value is the state's last one. If
    /// its id is taken, a number is appended. `init`: none means zeros; then the shape is known.
    void add(Node& op, const OpState& state, std::vector<Output> init);
    /// Gives the graph the new Assigns; true where there is one.
    bool finish();

private:
    Graph& graph_;
    Rewriter rewriter_;
    UniqueNames ids_;
    std::vector<NodePtr> assigns_;
};

/// Zeros of that type whose extents are numbers, or those of tensors: a Broadcast. The new nodes
/// are called `name` plus their role, such as "h/init".
Output make_zeros(Rewriter& rewriter, const std::string& name, ElementType type,
                  const std::vector<ShapeElement>& extents);

}  // namespace rondo::passes
