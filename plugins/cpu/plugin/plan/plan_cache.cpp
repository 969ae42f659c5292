#include "plugins/cpu/plugin/plan/plan_cache.hpp"

#include <algorithm>

namespace rondo::cpu {

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
