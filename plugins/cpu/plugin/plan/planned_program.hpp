// A program with the last few plans that were made for it.
#pragma once

#include <cstddef>
#include <memory>

#include "plugins/cpu/nodes/common/body.hpp"
#include "plugins/cpu/plugin/plan/plan_cache.hpp"
#include "plugins/cpu/plugin/plan/planner.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"

namespace rondo::cpu {

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
