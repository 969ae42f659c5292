#include "plugins/cpu/plugin/threads/pinning.hpp"

#include <algorithm>

#include <sys/syscall.h>
#include <unistd.h>

namespace rondo::cpu {
namespace {

thread_local std::size_t t_first_core = 0;

int thread_number() { return static_cast<int>(::syscall(SYS_gettid)); }

// A core that the process may no longer use isn't an error: the thread stays unpinned.
void pin_to(int core) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ::sched_setaffinity(0, sizeof(one), &one);
}

}  // namespace

ThreadAffinity own_affinity() { return affinity_of(thread_number()); }

ThreadAffinity affinity_of(int thread) {
    ThreadAffinity affinity{thread, {}};
    CPU_ZERO(&affinity.cores);
    if (::sched_getaffinity(thread, sizeof(affinity.cores), &affinity.cores) != 0) {
        CPU_ZERO(&affinity.cores);
    }
    return affinity;
}

void keep_off_core(const ThreadAffinity& affinity, int core) {
    cpu_set_t others = affinity.cores;
    CPU_CLR(static_cast<std::size_t>(core), &others);
    if (CPU_COUNT(&others) == 0) return;
    ::sched_setaffinity(affinity.thread, sizeof(others), &others);
}

void restore(const ThreadAffinity& affinity) {
    if (CPU_COUNT(&affinity.cores) == 0) return;
    ::sched_setaffinity(affinity.thread, sizeof(affinity.cores), &affinity.cores);
}

std::vector<int> allowed_cores() {
    const cpu_set_t set = own_affinity().cores;
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
    return cores;
}

void pin_stream(std::size_t stream, int threads, const std::vector<int>& cores) {
    if (cores.empty()) return;
    t_first_core = stream * static_cast<std::size_t>(threads);
    pin_to(cores[t_first_core % cores.size()]);
}

std::size_t first_core_of_stream() { return t_first_core; }

WorkerPins::WorkerPins(tbb::task_arena& arena, std::vector<int> cores)
    : tbb::task_scheduler_observer(arena), cores_(std::move(cores)) {
    if (!cores_.empty()) observe(true);
}

WorkerPins::~WorkerPins() {
    observe(false);  // no more calls after this, also for workers that are still in the arena
    for (const ThreadAffinity& worker : pinned_) restore(worker);
}

void WorkerPins::begin_at(std::size_t first) {
    const std::lock_guard lock(mutex_);
    first_ = first;
}

void WorkerPins::on_scheduler_entry(bool is_worker) {
    if (!is_worker) return;
    const ThreadAffinity worker = own_affinity();
    if (CPU_COUNT(&worker.cores) == 0) return;
    const auto slot = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    const std::lock_guard lock(mutex_);
    pinned_.push_back(worker);
    pin_to(cores_[(first_ + slot) % cores_.size()]);
}

void WorkerPins::on_scheduler_exit(bool is_worker) {
    if (!is_worker) return;
    const std::lock_guard lock(mutex_);
    const int thread = thread_number();
    const auto worker =
        std::find_if(pinned_.begin(), pinned_.end(),
                     [&](const ThreadAffinity& entry) { return entry.thread == thread; });
    if (worker == pinned_.end()) return;
    restore(*worker);
    pinned_.erase(worker);
}

}  // namespace rondo::cpu
