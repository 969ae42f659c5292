#include "plugins/cpu/plugin/threads/extra_workers.hpp"

#include <memory>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>

#include "core/support/fork_mutex.hpp"

namespace rondo::cpu {
namespace {

// TBB uses the smallest of all limits, so there is one of ours, which is replaced when the sum
// changes.
class Limit {
public:
    void add(int count) {
        const std::lock_guard lock(mutex_);
        extra_ += count;
        control_.reset();
        if (extra_ == 0) return;
        const auto threads = static_cast<std::size_t>(tbb::info::default_concurrency() + extra_);
        control_ = std::make_unique<tbb::global_control>(
            tbb::global_control::max_allowed_parallelism, threads);
    }

private:
    ForkMutex mutex_;
    int extra_ = 0;
    std::unique_ptr<tbb::global_control> control_;
};

// Outlives teams that are never destroyed or are destroyed at the end of the program.
Limit& limit() {
    static auto* the_limit = new Limit;
    return *the_limit;
}

}  // namespace

ExtraWorkers::ExtraWorkers(int count) : count_(count) { limit().add(count_); }
ExtraWorkers::~ExtraWorkers() { limit().add(-count_); }

}  // namespace rondo::cpu
