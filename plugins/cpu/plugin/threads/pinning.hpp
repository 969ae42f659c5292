// Pins threads to cores (ENABLE_CPU_PINNING).
#pragma once

#include <mutex>
#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <sched.h>

namespace rondo::cpu {

/// Cores that the calling thread may run on, ascending: its affinity mask, and so the process's
/// cpuset unless the thread's own is narrower. A cgroup's quota of time isn't visible there.
std::vector<int> allowed_cores();

/// A thread, as the kernel numbers it, and the cores that it may run on.
struct ThreadAffinity {
    int thread = 0;
    cpu_set_t cores{};
};

/// The affinity of the calling thread.
ThreadAffinity own_affinity();

/// The affinity of any thread of this process; no cores if the kernel doesn't return them.
ThreadAffinity affinity_of(int thread);

/// Lets the thread run on all of its cores but one; if that is the only one, on all.
void keep_off_core(const ThreadAffinity& affinity, int core);

/// Lets the thread run on its cores again.
void restore(const ThreadAffinity& affinity);

/// Pins the calling thread, which runs inferences in the background, to the first core of its
/// stream: stream s has `threads` cores from cores[s * threads] on, starting again past the end.
/// Without cores it does nothing.
void pin_stream(std::size_t stream, int threads, const std::vector<int>& cores);

/// The index of the first core of the calling thread's stream, or 0 for other threads.
std::size_t first_core_of_stream();

/// Pins TBB's threads to a core each while they work in an arena, and restores their old masks when
/// they leave it or this object is destroyed. Doesn't pin the callers' own threads.
class WorkerPins final : public tbb::task_scheduler_observer {
public:
    WorkerPins(tbb::task_arena& arena, std::vector<int> cores);
    ~WorkerPins() override;

    /// Workers that enter from now on get the cores after this one.
    void begin_at(std::size_t first);

    void on_scheduler_entry(bool is_worker) override;
    void on_scheduler_exit(bool is_worker) override;

private:
    std::vector<int> cores_;
    std::mutex mutex_;
    std::size_t first_ = 0;
    std::vector<ThreadAffinity> pinned_;  ///< as they were before
};

}  // namespace rondo::cpu
