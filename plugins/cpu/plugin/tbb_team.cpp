#include "plugins/cpu/plugin/tbb_team.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "plugins/cpu/kernels/flush_denormals.hpp"
#include "plugins/cpu/plugin/pinning.hpp"

namespace rondo::cpu {
namespace {

class TbbTeam final : public Team {
public:
    // More threads than cores would only make TBB complain: the slices share those there are.
    explicit TbbTeam(const TeamOptions& options)
        : options_(options), arena_(std::min(options.threads, tbb::info::default_concurrency())) {
        if (!options.pins.empty()) pins_ = std::make_unique<WorkerPins>(arena_, options.pins);
    }

    int size() const override { return options_.threads; }

    void run(int slices, FunctionRef<void(int)> body) override {
        if (slices <= 1) {
            if (slices == 1) body(0);
            return;
        }
        if (pins_) pins_->begin_at(first_core_of_stream());
        // A task a slice: TBB hands them out as threads come free, and the caller takes what is
        // left, so that nobody waits for a thread that never shows up.
        begun_.fetch_add(1, std::memory_order_release);
        arena_.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<int>(0, slices, 1),
                [&](const tbb::blocked_range<int>& range) {
                    begun_.load(std::memory_order_acquire);
                    const FlushDenormals flush(options_.flush_denormals);
                    for (int i = range.begin(); i < range.end(); ++i) body(i);
                    ended_.fetch_add(1, std::memory_order_release);
                },
                tbb::simple_partitioner());
        });
        ended_.load(std::memory_order_acquire);
    }

private:
    TeamOptions options_;
    tbb::task_arena arena_;
    std::unique_ptr<WorkerPins> pins_;  // null unless pinned
    // TBB orders the slices after what the caller did before, and before what it does next, but in
    // a library where the thread sanitizer can't see it; these say the same where it can.
    std::atomic<int> begun_{0};
    std::atomic<int> ended_{0};
};

}  // namespace

int available_cores() {
    const auto cores = static_cast<int>(allowed_cores().size());
    if (cores > 0) return cores;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<Team> make_team(const TeamOptions& options) {
    if (options.threads <= 1) return std::make_unique<SerialTeam>();
    return std::make_unique<TbbTeam>(options);
}

}  // namespace rondo::cpu
