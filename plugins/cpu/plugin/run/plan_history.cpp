#include "plugins/cpu/plugin/run/plan_history.hpp"

#include <algorithm>
#include <utility>

namespace rondo::cpu {

bool PlanUse::fits(std::span<const Tensor> inputs, std::span<const VariableValue> variables) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].shape() != plan->key.inputs[i]) return false;
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Tensor& value = variables[i].value();
        const auto& planned = plan->key.variables[i];
        if (planned.has_value() != static_cast<bool>(value)) return false;
        if (planned && *planned != value.shape()) return false;
    }
    return true;
}

PlanUse* PlanHistory::find(std::span<const Tensor> inputs,
                           std::span<const VariableValue> variables) {
    const auto found = std::find_if(uses_.begin(), uses_.end(), [&](const PlanUse& use) {
        return use.fits(inputs, variables);
    });
    if (found == uses_.end()) return nullptr;
    if (found != uses_.begin()) leave_current();
    uses_.splice(uses_.begin(), uses_, found);
    return &uses_.front();
}

PlanUse& PlanHistory::add(std::shared_ptr<const Plan> plan, const Graph& graph) {
    leave_current();
    if (uses_.size() == capacity_) uses_.pop_back();
    return uses_.emplace_front(PlanUse{std::move(plan), OutputBinding(graph)});
}

void PlanHistory::leave_current() {
    if (!uses_.empty()) uses_.front().outputs.release_large();
}

}  // namespace rondo::cpu
