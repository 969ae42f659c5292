// The last few plans of a program, shared by its executors.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>

#include "plugins/cpu/plugin/plan/plan.hpp"

namespace rondo::cpu {

/// Thread-safe. Executors ask when their shapes change, not at every run.
class PlanCache {
public:
    explicit PlanCache(std::size_t capacity) : capacity_(capacity) {}

    using Make = std::function<std::shared_ptr<const Plan>()>;
    /// The plan for these shapes, made by `make` (outside the lock) where it isn't there.
    std::shared_ptr<const Plan> get(const PlanKey& key, const Make& make);

    std::size_t size() const;

private:
    std::shared_ptr<const Plan> find(const PlanKey& key);
    void insert(std::shared_ptr<const Plan> plan);

    std::size_t capacity_;
    mutable std::mutex mutex_;
    std::list<std::shared_ptr<const Plan>> plans_;  // the latest used first
};

}  // namespace rondo::cpu
