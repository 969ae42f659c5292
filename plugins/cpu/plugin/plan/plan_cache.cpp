// The last few plans of a program, found by their keys.
#include "plugins/cpu/plugin/plan/planned_program.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::cpu {
namespace {

bool same_elements(const Tensor& a, const Tensor& b) {
    if (!a || !b) return !a && !b;
    return a.element_type() == b.element_type() && a.shape() == b.shape() &&
           (a.byte_size() == 0 || std::memcmp(a.data(), b.data(), a.byte_size()) == 0);
}

bool same_input(const PlanInput& a, const PlanInput& b) {
    return a.shape == b.shape && a.form == b.form && a.type == b.type &&
           same_elements(a.value, b.value);
}

}  // namespace

bool operator==(const PlanKey& a, const PlanKey& b) {
    return a.before == b.before && a.variables == b.variables && a.extents == b.extents &&
           a.found == b.found && a.floats == b.floats &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                      same_input) &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                      same_elements);
}

std::shared_ptr<const Plan> PlanCache::get(const PlanKey& key, const Make& make) {
    if (auto plan = find(key)) return plan;
    auto plan = make();
    // Another thread may have made the same one meanwhile.
    if (auto known = find(key)) return known;
    insert(plan);
    return plan;
}

void PlanCache::keep_chains(std::size_t chains) {
    const std::lock_guard lock(mutex_);
    chains_ = std::max(chains_, chains);
}

std::size_t PlanCache::size() const {
    const std::lock_guard lock(mutex_);
    return plans_.size();
}

PlanCounts PlanCache::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

std::shared_ptr<const Plan> PlanCache::find(const PlanKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(plans_.begin(), plans_.end(),
                                    [&](const auto& plan) { return plan->key == key; });
    if (found == plans_.end()) return nullptr;
    ++counts_.hits;
    plans_.splice(plans_.begin(), plans_, found);
    return *found;
}

void PlanCache::insert(std::shared_ptr<const Plan> plan) {
    const std::lock_guard lock(mutex_);
    ++counts_.made;
    longest_chain_ = std::max(longest_chain_, plan->end.segments);
    plans_.push_front(std::move(plan));
    if (plans_.size() > chains_ * longest_chain_) plans_.pop_back();
}

}  // namespace rondo::cpu
