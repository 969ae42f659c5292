// A program with the last few plans that were made for it.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>

#include "core/runtime/plugin.hpp"
#include "core/support/process.hpp"
#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/plugin/plan/plan.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"

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

/// Infers every shape that the key settles, computes what follows from shapes alone, prepares the
/// calls and places their tensors. If a shape depends on elements that the calls compute, the
/// plan ends there and names the values to read and the extents to find (Plan::end). Throws
/// ModelError naming the node whose shapes don't fit, or the memory if it exceeds the machine's;
/// UnsupportedError naming a node whose shapes no element determines.
std::shared_ptr<const Plan> make_plan(const Program& program, const PlanKey& key, int threads);

/// Thread-safe: shared by all that run the program, each with a ProgramRun of its own.
class PlannedProgram {
public:
    /// Chains of segments that are kept: here, and by each ProgramRun.
    static constexpr std::size_t kPlans = 8;
    /// The same for a body, which may have other shapes in each iteration of one inference.
    static constexpr std::size_t kBodyPlans = 64;

    /// `threads` of one inference.
    PlannedProgram(Program program, int threads, std::size_t chains = kPlans)
        : program_(std::move(program)), threads_(threads), chains_(chains), plans_(chains) {}

    const Program& program() const { return program_; }
    int threads() const { return threads_; }
    std::size_t chains() const { return chains_; }

    /// Keeps at least so many chains of segments.
    void keep_plans(std::size_t chains) { plans_.keep_chains(chains); }

    /// Throws what make_plan() throws.
    std::shared_ptr<const Plan> plan_for(const PlanKey& key) {
        return plans_.get(key, [&] { return make_plan(program_, key, threads_); });
    }

    /// With the plans of bodies that runs have made.
    PlanCounts plan_counts() const {
        PlanCounts counts = plans_.counts();
        for (const Step& step : program_.steps) {
            for (const auto& body : step.kernel->bodies()) counts.made += body->plans_made();
        }
        return counts;
    }

private:
    Program program_;
    int threads_;
    std::size_t chains_;
    PlanCache plans_;
};

}  // namespace rondo::cpu
