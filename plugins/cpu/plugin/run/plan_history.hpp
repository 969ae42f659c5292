// The plans that one executor has run with, so that coming back to a shape costs nothing.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <span>

#include "core/runtime/variable_value.hpp"
#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/run/output_binding.hpp"

namespace rondo::cpu {

/// A plan, and where its results go.
struct PlanUse {
    std::shared_ptr<const Plan> plan;
    OutputBinding outputs;

    /// True where the plan is for inputs and variables of these shapes.
    bool fits(std::span<const Tensor> inputs, std::span<const VariableValue> variables = {}) const;
};

/// Of one executor, and so without locks. Uses keep their addresses.
class PlanHistory {
public:
    explicit PlanHistory(std::size_t capacity) : capacity_(capacity) {}

    /// The use for inputs and variables of these shapes, or null. Allocates nothing. What was found
    /// or added last is the current use; the one before it gives back large outputs.
    PlanUse* find(std::span<const Tensor> inputs, std::span<const VariableValue> variables = {});
    /// A use of `plan`; the one longest out of use is forgotten where there are too many.
    PlanUse& add(std::shared_ptr<const Plan> plan, const Graph& graph);

    std::size_t size() const { return uses_.size(); }

private:
    void leave_current();

    std::size_t capacity_;
    std::list<PlanUse> uses_;  // the current one first
};

}  // namespace rondo::cpu
