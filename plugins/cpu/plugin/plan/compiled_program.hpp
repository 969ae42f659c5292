// What the executors of one compiled model share.
#pragma once

#include <cstddef>
#include <vector>

#include "plugins/cpu/plugin/plan/plan_cache.hpp"
#include "plugins/cpu/plugin/plan/planner.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"

namespace rondo::cpu {

struct CompiledProgram {
    static constexpr std::size_t kPlans = 8;

    Program program;
    int threads = 1;        ///< of one inference
    std::vector<int> pins;  ///< cores that threads are kept on; empty: no pinning
    bool flush_denormals = true;
    bool profile = false;
    PlanCache plans{kPlans};

    std::shared_ptr<const Plan> plan_for(const PlanKey& key) {
        return plans.get(key, [&] { return make_plan(program, key, threads); });
    }
};

}  // namespace rondo::cpu
