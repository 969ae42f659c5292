// The last few plans of a program, shared by all that run it.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>

#include "core/runtime/plugin.hpp"
#include "core/support/process.hpp"
#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// Thread-safe. A run uses it only when its shapes change.
class PlanCache {
public:
    /// Keeps `chains` plans, times the number of segments of the longest chain that it has seen.
    explicit PlanCache(std::size_t chains) : chains_(chains) {}

    using Make = std::function<std::shared_ptr<const Plan>()>;
    /// The plan of this key, made by `make` (outside the lock) if it isn't there.
    std::shared_ptr<const Plan> get(const PlanKey& key, const Make& make);

    /// Keeps the plans of at least so many chains.
    void keep_chains(std::size_t chains);
    std::size_t size() const;

    /// How often get() has made a plan, and how often it had one.
    PlanCounts counts() const;

private:
    std::shared_ptr<const Plan> find(const PlanKey& key);
    void insert(std::shared_ptr<const Plan> plan);

    std::size_t chains_;
    std::size_t longest_chain_ = 1;
    mutable ForkMutex mutex_;
    std::list<std::shared_ptr<const Plan>> plans_;  // the latest used first
    PlanCounts counts_;
};

}  // namespace rondo::cpu
