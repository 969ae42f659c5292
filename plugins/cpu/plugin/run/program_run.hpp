// Runs a program on tensors, segment by segment, in memory of its own.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/runtime/variable_value.hpp"
#include "plugins/cpu/kernels/threads/team.hpp"
#include "plugins/cpu/plugin/plan/planned_program.hpp"
#include "plugins/cpu/plugin/run/arena.hpp"
#include "plugins/cpu/plugin/run/body_forms.hpp"
#include "plugins/cpu/plugin/run/plan_history.hpp"
#include "plugins/cpu/plugin/run/step_profile.hpp"

namespace rondo::cpu {

/// One inference.
struct RunRequest {
    std::span<const Tensor> inputs;  ///< contiguous, of the parameters' types
    /// One for each result. An empty one gets a tensor of the ProgramRun's, which the next run may
    /// overwrite; another one is written to.
    std::span<Tensor> outputs;
    std::span<VariableValue> variables;  ///< committed once everything has run
    Team& team;
    const std::atomic<bool>& cancelled;
    StepProfile* profile = nullptr;
    OwnOutputs own_outputs = OwnOutputs::stay;
    const OutputAllocator* allocator = nullptr;  ///< asked first for the memory of empty outputs
};

/// For one thread at a time; any number of these may run one program. Once it has run with some
/// shapes, and elements that decide shapes, it runs with them again without allocating, locking or
/// inferring; also where others of the last few came between.
class ProgramRun {
public:
    explicit ProgramRun(std::shared_ptr<PlannedProgram> program);

    /// Throws ModelError naming the node, result or variable that doesn't fit, and CancelledError
    /// soon after `cancelled` turns true; the variables then are as they were.
    void run(const RunRequest& request);

    /// Keeps the plans of so many sets of shapes; the program, too.
    void keep_plans(std::size_t count);

    /// Extents that vary too much for exact plans stay open in the plans (BodyForms).
    void let_float() { forms_.emplace(); }

    std::size_t arena_bytes() const { return arena_.bytes(); }

private:
    BoundPlan& first_segment(const RunRequest& request);
    BoundPlan& find_first_segment(const RunRequest& request);
    std::shared_ptr<const Plan> new_plan(const RunRequest& request);
    BoundPlan& next_segment(const RunRequest& request, const BoundPlan& last);
    void run_segment(const RunRequest& request, BoundPlan& use);
    void run_dynamic_steps(const RunRequest& request, BoundPlan& use);
    DynamicRun& dynamic_run(std::size_t step);
    void set_addresses(BoundPlan& use) const;
    void* fixed_address(const Place& place) const;
    void bind_places(const RunRequest& request, BoundPlan& use) const;
    const void* bound_base(const Place& place, const RunRequest& request) const;
    void copy_ends(const BoundPlan& use) const;

    std::shared_ptr<PlannedProgram> program_;
    PlanHistory history_;
    Arena arena_;
    std::vector<void*> outputs_;                             // where this run writes the results
    std::vector<void*> next_variables_;                      // and what the variables become
    std::vector<const void*> late_;                          // where the outputs of late steps lie
    std::vector<std::unique_ptr<DynamicRun>> dynamic_runs_;  // a step each, once one has run
    std::optional<BodyForms> forms_;                         // of a body that may float
};

}  // namespace rondo::cpu
