#include "plugins/cpu/plugin/threads/extra_workers.hpp"

#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>

#include "core/support/process.hpp"

namespace rondo::cpu {
namespace {

// TBB uses the smallest of all limits, so there is one of ours, which is replaced when the sum
// changes.
class Limit {
public:
    void add(int count) {
        const std::lock_guard lock(mutex_);
        allow(extra_ + count);
        extra_ += count;
    }

    // Without memory for another limit the last one stays, which allows more threads.
    void remove(int count) noexcept {
        const std::lock_guard lock(mutex_);
        extra_ -= count;
        try {
            allow(extra_);
        } catch (const std::bad_alloc&) {
        }
    }

private:
    void allow(int extra) {
        std::unique_ptr<tbb::global_control> next;
        if (extra > 0) {
            next = std::make_unique<tbb::global_control>(
                tbb::global_control::max_allowed_parallelism,
                static_cast<std::size_t>(tbb::info::default_concurrency() + extra));
        }
        control_ = std::move(next);
    }

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
ExtraWorkers::~ExtraWorkers() { limit().remove(count_); }

}  // namespace rondo::cpu
