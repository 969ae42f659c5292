#include "plugins/cpu/plugin/threads/tbb_team.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <unistd.h>

#include "core/support/process.hpp"
#include "plugins/cpu/kernels/machine/flush_denormals.hpp"
#include "plugins/cpu/plugin/threads/pinning.hpp"
#include "plugins/cpu/plugin/threads/pooled_team.hpp"

namespace rondo::cpu {
namespace {

// TBB orders its tasks after what their maker did before, but in a library where the thread
// sanitizer can't see it; this says the same where it can.
std::atomic<int> handed_over{0};

// The process that has used TBB: its children find a TBB that waits for threads which they lack.
std::atomic<pid_t> user_of_tbb{0};

bool is_forked_from_user() {
    pid_t none = 0;
    const pid_t own = ::getpid();
    return !user_of_tbb.compare_exchange_strong(none, own) && none != own;
}

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

// What of a team belongs to TBB.
struct TbbParts {
    TbbParts(int threads, const std::vector<int>& cores)
        : arena(threads), extra(arena.max_concurrency() - 1) {
        if (!cores.empty()) pins = std::make_unique<WorkerPins>(arena, cores);
    }

    tbb::task_arena arena;
    tbb::task_group starts;  // tasks that start workers
    ExtraWorkers extra;
    std::unique_ptr<WorkerPins> pins;  // null unless pinned
};

// Over threads of its own, for forked children: TBB there waits for threads of the parent.
class OwnTeam final : public PooledTeam {
public:
    OwnTeam(int threads, bool flush_denormals)
        : PooledTeam(threads, threads - 1, true), flush_denormals_(flush_denormals) {}
    ~OwnTeam() override { pool()->stop(); }

private:
    // Throws where the system has no thread left: the pool then does without that worker.
    void start(int worker) override {
        std::thread([pool = pool(), worker, flush = flush_denormals_] {
            const FlushDenormals flushing(flush);
            pool->work(worker);
        }).detach();
    }

    bool flush_denormals_;
};

int useful_threads(const TeamOptions& options) {
    return std::min(options.threads, tbb::info::default_concurrency());
}

class TbbTeam final : public PooledTeam {
public:
    // More threads than cores would only take time from each other: the slices share those there
    // are.
    explicit TbbTeam(const TeamOptions& options)
        : PooledTeam(options.threads, useful_threads(options) - 1, options.pins.empty()),
          flush_denormals_(options.flush_denormals),
          tbb_(std::make_unique<TbbParts>(useful_threads(options), options.pins)),
          process_(::getpid()) {}

    // Tasks that no thread has taken yet are taken here, and find a pool that has stopped: none
    // outlives its team. A forked child has no threads to wait for, and leaves TBB alone.
    ~TbbTeam() override {
        pool()->stop();
        if (::getpid() != process_) {
            static_cast<void>(tbb_.release());
            return;
        }
        tbb_->arena.execute([this] { tbb_->starts.wait(); });
    }

private:
    void before_run() override {
        if (tbb_->pins) tbb_->pins->begin_at(first_core_of_stream());
    }

    // The task holds a plain pointer; what keeps the pool alive waits for it in the pool.
    void start(int worker) override {
        pool()->keep_for(worker, pool());
        handed_over.fetch_add(1, std::memory_order_release);
        tbb_->arena.enqueue(
            tbb_->starts.defer([pool = pool().get(), worker, flush = flush_denormals_] {
                handed_over.load(std::memory_order_acquire);
                const std::shared_ptr<void> kept = pool->take_kept(worker);
                const FlushDenormals flushing(flush);
                pool->work(worker);
            }));
    }

    bool flush_denormals_;
    std::unique_ptr<TbbParts> tbb_;
    pid_t process_;  // whose threads these are
};

}  // namespace

ExtraWorkers::ExtraWorkers(int count) : count_(count) { limit().add(count_); }
ExtraWorkers::~ExtraWorkers() { limit().remove(count_); }

int available_cores() {
    const auto cores = static_cast<int>(allowed_cores().size());
    if (cores > 0) return cores;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::unique_ptr<Team> make_own_team(int threads, bool flush_denormals) {
    return std::make_unique<OwnTeam>(threads, flush_denormals);
}

std::unique_ptr<Team> make_team(const TeamOptions& options) {
    const int threads = useful_threads(options);
    if (threads <= 1) return std::make_unique<SerialTeam>();
    if (is_forked_from_user()) return make_own_team(threads, options.flush_denormals);
    return std::make_unique<TbbTeam>(options);
}

}  // namespace rondo::cpu
