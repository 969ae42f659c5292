// A mutex that no forked child finds locked.
#pragma once

#include <mutex>

namespace rondo {

/// fork() waits until no thread holds one, so that what they guard is whole in the child too. Hold
/// it for a short time, and don't fork meanwhile: after two seconds fork() goes on without it, and
/// the child has a new one.
class ForkMutex {
public:
    ForkMutex();
    ~ForkMutex();
    ForkMutex(const ForkMutex&) = delete;
    ForkMutex& operator=(const ForkMutex&) = delete;

    void lock() { mutex_.lock(); }
    bool try_lock() { return mutex_.try_lock(); }
    void unlock() { mutex_.unlock(); }

private:
    friend class ForkMutexes;

    std::mutex mutex_;
    ForkMutex* previous_ = nullptr;  // among all that there are
    ForkMutex* next_ = nullptr;
};

/// How many forks lie between this process and the first one, as far as there was a ForkMutex.
/// Threads, and what waits for them, belong to the process that has made them.
unsigned fork_count();

}  // namespace rondo
