#include "plugins/cpu/plugin/threads/tbb_team.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <unistd.h>

#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/kernels/threads/back_off.hpp"
#include "plugins/cpu/plugin/threads/extra_workers.hpp"
#include "plugins/cpu/plugin/threads/pace.hpp"
#include "plugins/cpu/plugin/threads/pinning.hpp"
#include "plugins/cpu/plugin/threads/thread_pool.hpp"

namespace rondo::cpu {
namespace {

// TBB orders its tasks after what their maker did before, but in a library where the thread
// sanitizer can't see it; this says the same where it can.
std::atomic<int> handed_over{0};

// A run whose worker is late takes about a millisecond more: a few per cent of this.
constexpr std::chrono::milliseconds kFirstPause{32};

class TbbTeam final : public Team {
public:
    // More threads than cores would only take time from each other: the slices share those there
    // are.
    explicit TbbTeam(const TeamOptions& options)
        : options_(options),
          arena_(std::min(options.threads, tbb::info::default_concurrency())),
          pool_(std::make_shared<ThreadPool>(arena_.max_concurrency() - 1, options.pins.empty())),
          starts_(std::make_unique<tbb::task_group>()),
          process_(::getpid()),
          extra_(arena_.max_concurrency() - 1) {
        if (!options.pins.empty()) pins_ = std::make_unique<WorkerPins>(arena_, options.pins);
    }

    // Tasks that no thread has taken yet are taken here, and find a pool that has stopped: none
    // outlives its team. A forked child has no threads to wait for.
    ~TbbTeam() override {
        pool_->stop();
        if (::getpid() != process_) {
            starts_.release();
            return;
        }
        arena_.execute([this] { starts_->wait(); });
    }

    int size() const override { return options_.threads; }
    // The first call creates TBB's threads. Later calls don't allocate, unless the team was idle
    // longer than ThreadPool::kMaxSleep.
    TeamState state() override {
        if (back_off_.pausing()) return TeamState::alone;
        if (!started_) {
            started_ = true;
            pool_->start_workers([this](int worker) { start(worker); });
        }
        const bool brisk = pace_.is_brisk();
        return pool_->awake() || brisk ? TeamState::awake : TeamState::asleep;
    }
    void note_late() override { back_off_.note_late(); }

    void run(int slices, FunctionRef<void(int)> body) override {
        if (slices <= 1 || back_off_.pausing()) {
            for (int slice = 0; slice < slices; ++slice) body(slice);
            return;
        }
        if (pins_) pins_->begin_at(first_core_of_stream());
        pool_->run(slices, body, [this](int worker) { start(worker); });
    }

private:
    // The task holds a plain pointer; what keeps the pool alive waits for it in the pool.
    void start(int worker) {
        pool_->keep_for(worker, pool_);
        handed_over.fetch_add(1, std::memory_order_release);
        arena_.enqueue(
            starts_->defer([pool = pool_.get(), worker, flush = options_.flush_denormals] {
                handed_over.load(std::memory_order_acquire);
                const std::shared_ptr<void> kept = pool->take_kept(worker);
                const FlushDenormals flushing(flush);
                pool->work(worker);
            }));
    }

    TeamOptions options_;
    tbb::task_arena arena_;
    std::shared_ptr<ThreadPool> pool_;
    std::unique_ptr<tbb::task_group> starts_;  // tasks that start workers
    pid_t process_;                            // whose threads these are
    ExtraWorkers extra_;
    std::unique_ptr<WorkerPins> pins_;  // null unless pinned
    BackOff back_off_{kFirstPause};
    Pace pace_;
    bool started_ = false;
};

}  // namespace

int available_cores() {
    const auto cores = static_cast<int>(allowed_cores().size());
    if (cores > 0) return cores;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<Team> make_team(const TeamOptions& options) {
    const int threads = std::min(options.threads, tbb::info::default_concurrency());
    if (threads <= 1) return std::make_unique<SerialTeam>();
    return std::make_unique<TbbTeam>(options);
}

}  // namespace rondo::cpu
