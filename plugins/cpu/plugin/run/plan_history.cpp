#include "plugins/cpu/plugin/run/plan_history.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/graph/tensor_impl.hpp"
#include "core/support/errors.hpp"
#include "plugins/cpu/plugin/run/memory_ranges.hpp"

namespace rondo::cpu {

bool BoundPlan::fits(std::span<const Tensor> inputs,
                     std::span<const VariableValue> variables) const {
    if (plan->key.before) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const PlanInput& planned = plan->key.inputs[i];
        const auto& input = Tensor::Impl::of(inputs[i]);
        internal_check(input.contiguous, "an input has strides");
        const bool is_served = planned.form ? planned.form->contains(input.shape)
                                            : same_shape(input.shape, planned.shape);
        if (!is_served) return false;
        const bool any_type = planned.type == ElementType::dynamic;
        if (!any_type && input.type != planned.type) return false;
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Tensor& value = variables[i].value();
        const auto& planned = plan->key.variables[i];
        if (planned.has_value() != static_cast<bool>(value)) return false;
        if (planned && !same_shape(*planned, value.shape())) return false;
    }
    return true;
}

bool BoundPlan::continues(const BoundPlan& use) const {
    if (plan->key.before != use.plan) return false;
    const auto& reads = use.plan->end.reads;
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (reads[i].bytes > 0 && std::memcmp(use.addresses[reads[i].place],
                                              plan->key.values[i].data(), reads[i].bytes) != 0) {
            return false;
        }
    }
    const auto& extents = plan->key.extents;
    if (!std::equal(extents.begin(), extents.end(), use.extents.begin(), same_shape)) return false;
    const auto& found = plan->key.found;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!same_shape(use.late_outputs[i].shape(), found[i])) return false;
    }
    return true;
}

void BoundPlan::release_large() {
    outputs.release_large();
    if (floating) floating->release_large();
    std::size_t bytes = 0;
    for (const Tensor& tensor : late_outputs) bytes += tensor ? tensor.byte_size() : 0;
    if (bytes <= OutputBinding::kWorthKeeping) return;
    std::fill(late_outputs.begin(), late_outputs.end(), Tensor());
}

BoundPlan* PlanHistory::find(std::span<const Tensor> inputs,
                             std::span<const VariableValue> variables) {
    const auto found = std::find_if(uses_.begin(), uses_.end(), [&](const BoundPlan& use) {
        return use.fits(inputs, variables);
    });
    if (found == uses_.end()) return nullptr;
    if (chain_.empty() || chain_.front() != &*found) start_chain();
    uses_.splice(uses_.begin(), uses_, found);
    chain_.assign(1, &uses_.front());
    return &uses_.front();
}

BoundPlan* PlanHistory::find_next() {
    BoundPlan& last = *chain_.back();
    if (last.next == nullptr || !last.next->continues(last)) {
        const auto found = std::find_if(uses_.begin(), uses_.end(),
                                        [&](const BoundPlan& use) { return use.continues(last); });
        if (found == uses_.end()) return nullptr;
        if (last.next != nullptr) last.next->release_large();
        uses_.splice(uses_.begin(), uses_, found);
        last.next = &uses_.front();
    }
    chain_.push_back(last.next);
    return last.next;
}

BoundPlan& PlanHistory::add(std::shared_ptr<const Plan> plan, const Graph& graph) {
    if (plan->key.before == nullptr) start_chain();
    const Plan& made = *plan;
    BoundPlan& use = uses_.emplace_front(BoundPlan{std::move(plan), OutputBinding(graph, made)});
    if (!chain_.empty()) {
        BoundPlan& last = *chain_.back();
        if (last.next != nullptr) last.next->release_large();
        last.next = &use;
    }
    chain_.push_back(&use);
    longest_chain_ = std::max(longest_chain_, chain_.size());
    forget_surplus();
    return use;
}

void PlanHistory::start_chain() {
    for (BoundPlan* use = chain_.empty() ? nullptr : chain_.front(); use != nullptr;
         use = use->next) {
        use->release_large();
    }
    chain_.clear();
}

// Those of the chain are in use.
void PlanHistory::forget_surplus() {
    for (auto use = uses_.end(); use != uses_.begin() && uses_.size() > chains_ * longest_chain_;) {
        --use;
        if (std::find(chain_.begin(), chain_.end(), &*use) != chain_.end()) continue;
        for (BoundPlan& other : uses_) {
            if (other.next == &*use) other.next = nullptr;
        }
        use = uses_.erase(use);
    }
}

}  // namespace rondo::cpu
