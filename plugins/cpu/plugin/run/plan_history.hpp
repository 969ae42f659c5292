// Keeps the plans that one run of a program has used, so that coming back to a shape costs nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "core/runtime/variable_value.hpp"
#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/floating_call.hpp"
#include "plugins/cpu/plugin/run/floating_memory.hpp"
#include "plugins/cpu/plugin/run/output_binding.hpp"

namespace rondo::cpu {

/// For one run at a time.
class FloatingRun {
public:
    /// `plan` must float; both must outlive this object.
    FloatingRun(const PlannedProgram& program, const Plan& plan)
        : memory_(plan, program.program().constants.size(), program.program().limits) {
        const auto& steps = plan.floating.steps;
        const std::size_t forms = CallForms::kAltogether / std::max<std::size_t>(steps.size(), 1);
        for (const FloatingStep& step : steps) {
            calls_.emplace_back(program.program(),
                                program.program().steps[plan.calls[step.call].step], step,
                                program.threads(), forms);
        }
    }

    /// The inputs must stay until finish().
    void start(std::span<const Tensor> inputs) { memory_.start(inputs); }
    /// Runs floating step number `step` of the plan.
    void run(std::size_t step, const FloatingCallArgs& args) { calls_[step].run(args, memory_); }
    /// Sets those of the outputs that float.
    void finish(std::span<Tensor> outputs) { memory_.finish(outputs); }
    /// Frees memory where it is much.
    void release_large() { memory_.release_large(); }

private:
    FloatingMemory memory_;
    std::vector<FloatingCall> calls_;
};

/// A plan, and what one ProgramRun keeps for it.
struct BoundPlan {
    std::shared_ptr<const Plan> plan;
    OutputBinding outputs;
    std::vector<void*> addresses = {};  ///< of Plan::places
    const void* arena = nullptr;        ///< that the addresses were made for
    std::size_t most_bytes = 0;         ///< of the arena, by this segment and those after it
    BoundPlan* next = nullptr;          ///< the segment that followed last; may be null
    std::vector<Shape> extents = {};    ///< that the extent steps have found in this run
    std::vector<std::vector<Tensor>> late_inputs = {};  ///< a late step each
    std::vector<Tensor> late_outputs = {};              ///< of all late steps, in their order
    std::unique_ptr<FloatingRun> floating = {};         ///< of a plan that floats

    /// True where the plan is the first segment for inputs and variables of these shapes.
    bool fits(std::span<const Tensor> inputs, std::span<const VariableValue> variables = {}) const;
    /// True where the plan continues `use`, and was made for what that one has computed.
    bool continues(const BoundPlan& use) const;
    /// Drops outputs where they hold more than OutputBinding::kWorthKeeping together.
    void release_large();
};

/// For one thread at a time, and so without locks. Uses keep their addresses.
class PlanHistory {
public:
    /// Keeps `chains` uses, times the number of segments of the longest chain.
    explicit PlanHistory(std::size_t chains) : chains_(chains) {}

    /// Keeps at least so many.
    void keep_chains(std::size_t chains) { chains_ = std::max(chains_, chains); }

    /// The first segment for inputs and variables of these shapes, or null. Allocates nothing. What
    /// was found or added last starts a new chain; the uses of the old one give back large outputs.
    BoundPlan* find(std::span<const Tensor> inputs, std::span<const VariableValue> variables = {});
    /// The segment that follows the last of the chain, or null. Allocates nothing once it was found
    /// or added.
    BoundPlan* find_next();
    /// A use of `plan`, which starts a chain or continues the present one; the use that wasn't
    /// needed for the longest time is forgotten where there are too many.
    BoundPlan& add(std::shared_ptr<const Plan> plan, const Graph& graph);

    /// Back to the first segment of the chain, which another run starts with.
    void restart() {
        if (chain_.size() > 1) chain_.erase(chain_.begin() + 1, chain_.end());
    }
    /// The segments of this run so far.
    std::span<BoundPlan* const> chain() const { return chain_; }

    std::size_t size() const { return uses_.size(); }

private:
    void start_chain();
    void forget_surplus();

    std::size_t chains_;
    std::size_t longest_chain_ = 1;
    std::list<BoundPlan> uses_;  // the latest found or added first
    std::vector<BoundPlan*> chain_;
};

}  // namespace rondo::cpu
