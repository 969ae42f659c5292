#include "plugins/cpu/plugin/tbb_team.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace rondo::cpu {
namespace {

class TbbTeam final : public Team {
public:
    // More threads than cores would only make TBB complain: the slices share those there are.
    explicit TbbTeam(int threads)
        : threads_(threads), arena_(std::min(threads, tbb::info::default_concurrency())) {}

    int size() const override { return threads_; }

    void run(int slices, FunctionRef<void(int)> body) override {
        if (slices <= 1) {
            if (slices == 1) body(0);
            return;
        }
        // A task a slice: TBB hands them out as threads come free, and the caller takes what is
        // left, so that nobody waits for a thread that never shows up.
        begun_.fetch_add(1, std::memory_order_release);
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<int>(0, slices, 1),
                [&](const tbb::blocked_range<int>& range) {
                    begun_.load(std::memory_order_acquire);
                    for (int i = range.begin(); i < range.end(); ++i) body(i);
                    ended_.fetch_add(1, std::memory_order_release);
                },
                tbb::simple_partitioner());
        });
        ended_.load(std::memory_order_acquire);
    }

private:
    int threads_;
    tbb::task_arena arena_;
    // TBB orders the slices after what the caller did before, and before what it does next, but in
    // a library where the thread sanitizer can't see it; these say the same where it can.
    std::atomic<int> begun_{0};
    std::atomic<int> ended_{0};
};

}  // namespace

int available_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<Team> make_team(int threads) {
    if (threads <= 1) return std::make_unique<SerialTeam>();
    return std::make_unique<TbbTeam>(threads);
}

}  // namespace rondo::cpu
