// Finds the parts into which a graph cuts a tensor along its time axis, one a step, and which step
// of a chain of cells each node belongs to.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "transformations/analysis/slices.hpp"
#include "transformations/analysis/step_values.hpp"

namespace rondo::passes {

/// The one element of an axis of known extent that a Gather, Slice, StridedSlice or Split takes;
/// nothing for other values. The axis itself may be gone.
std::optional<SinglePart> taken_element(const Output& value);

/// One step of a tensor.
struct TimePart {
    StepInput input;
    std::size_t step = 0;
};

/// The element of f32 that is taken, if that is one of axis 0 or 1 of a tensor of rank 3. If a
/// Slice that reverses time made this tensor, the result is an element of the Slice's input.
std::optional<TimePart> time_part(const Output& value);

/// Tensors of which all steps are taken, two or more of them; in the graph's order.
std::vector<StepInput> tensors_in_parts(const Graph& graph);

/// Follows from the parts of one input: a node belongs to the latest step that it needs a part of.
class StepNumbers {
public:
    /// The step of what needs no part.
    static constexpr int kBefore = -1;

    StepNumbers(const Graph& graph, const StepInput& input, bool reverse);

    int of(const Output& value) const;
    int of(const Node& node) const;
    int last() const { return last_; }
    bool is_reverse() const { return reverse_; }
    const std::vector<NodePtr>& nodes_of(int step) const {
        return of_steps_[static_cast<std::size_t>(step)];
    }

    /// Values of this step that nodes of the next one read; in order.
    std::vector<Output> handed_on(int step) const;
    /// Values from before all steps that the first one may take as states: what it reads, and what
    /// that alone is made of; the latter first.
    std::vector<Output> states_before() const;

private:
    void add_root(Output value, std::vector<Output>& values) const;
    void add_states(const Output& value, std::vector<Output>& values) const;

    const StepInput input_;
    const int last_;
    const bool reverse_;
    std::map<const Node*, int> numbers_;
    std::vector<NodePtr> nodes_;
    std::vector<std::vector<NodePtr>> of_steps_;
};

}  // namespace rondo::passes
