// How much of the time threads had a core, and how much they had to wait for one.
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

namespace rondo::tool {

/// Shares of the time, from 0 to 1. What is left, the threads slept.
struct ThreadShares {
    double running = 0;
    double waiting =
        0;  ///< ready to run, while the core was another's; 0 where the kernel doesn't say
};

/// Notes threads of another owner when they call, and reads their clocks while they live.
class ThreadClocks {
public:
    /// Notes the calling thread.
    void note();
    /// The same, and later calls cost next to nothing. The thread calls it for no other object.
    void note_once();
    /// What became of the time since they were noted, on the average of the threads.
    ThreadShares shares() const;

private:
    using Clock = std::chrono::steady_clock;
    struct Thread {
        clockid_t clock;
        pid_t id;
        double ran;     ///< seconds, when it was noted
        double waited;  ///< likewise
        Clock::time_point noted;
    };

    mutable std::mutex mutex_;
    std::vector<Thread> threads_;
};

}  // namespace rondo::tool
