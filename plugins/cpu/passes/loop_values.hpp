// What the values in a loop's body depend on.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/extents/extent_origin.hpp"
#include "transformations/analysis/loop_run.hpp"

namespace rondo::cpu {

/// What a value depends on.
enum class LoopValue {
    constant,   ///< constants alone
    invariant,  ///< inputs that each iteration gets whole
    step,       ///< parts of inputs, too: it is another one in each step
    state,      ///< anything else, which only an iteration knows
};

/// Looks at each node of a body once. A value that could be computed before the loop counts as a
/// state where it would then take much more memory than what it is computed from, or where
/// computing it may be an error while the loop may never run.
class LoopValues {
public:
    explicit LoopValues(const ops::IteratedOp& loop);

    LoopValue of(const Node& node) const;
    LoopValue of(const Output& output) const { return of(output.node()); }
    /// How the loop runs, and what it hands to its body.
    const passes::LoopRun& run() const { return run_; }
    /// Which of a node's inputs are other ones in each step.
    std::vector<bool> varying_inputs(const Node& node) const;
    /// True where the order of the parts is from the last one to the first.
    bool is_reverse() const { return reverse_; }
    /// A Gather at the number of the iteration, if the body has one.
    const Node* gather() const { return gather_; }

private:
    LoopValue find(const Node& node);
    LoopValue found_part(const Node& node);
    bool grows(const Node& node) const;
    ExtentOrigin extent_of(const Output& value, std::size_t axis) const;

    passes::LoopRun run_;
    bool surely_runs_ = false;
    std::unordered_map<const Node*, LoopValue> values_;
    std::vector<passes::StepInput> parts_;
    const Node* gather_ = nullptr;
    bool reverse_ = false;
    bool usable_ = true;
};

/// True for a node that computes elements, rather than moving them.
bool is_work(const Node& node);

}  // namespace rondo::cpu
