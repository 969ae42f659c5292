#include "streams/thread_clocks.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace rondo::tool {
namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The second number of the file: the nanoseconds that the thread was ready and didn't run.
double seconds_waited(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/schedstat");
    double ran = 0;
    double waited = 0;
    file >> ran >> waited;
    return waited * 1e-9;
}

}  // namespace

void ThreadClocks::note_once() {
    thread_local bool is_noted = false;
    if (is_noted) return;
    is_noted = true;
    note();
}

void ThreadClocks::note() {
    clockid_t clock{};
    if (::pthread_getcpuclockid(::pthread_self(), &clock) != 0) return;
    const std::lock_guard lock(mutex_);
    const auto id = static_cast<pid_t>(::syscall(SYS_gettid));
    threads_.push_back({clock, id, seconds_of(clock), seconds_waited(id), Clock::now()});
}

ThreadShares ThreadClocks::shares() const {
    const std::lock_guard lock(mutex_);
    ThreadShares shares;
    const auto count = static_cast<double>(threads_.size());
    for (const Thread& thread : threads_) {
        const std::chrono::duration<double> lived = Clock::now() - thread.noted;
        const auto add = [&](double& share, double seconds) {
            if (lived.count() > 0) share += std::clamp(seconds / lived.count(), 0.0, 1.0) / count;
        };
        add(shares.running, seconds_of(thread.clock) - thread.ran);
        add(shares.waiting, seconds_waited(thread.id) - thread.waited);
    }
    return shares;
}

}  // namespace rondo::tool
