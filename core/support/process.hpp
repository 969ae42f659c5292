// What belongs to the process and its threads: environment variables, the floating-point modes that
// a program starts with, a mutex that no forked child finds locked.
#pragma once

#include <cfenv>
#include <mutex>
#include <optional>
#include <string>

namespace rondo {

/// The variable's value, or nothing if it is unset or empty.
std::optional<std::string> env(const char* name);

/// While it lives, the calling thread rounds to nearest, keeps denormals and traps nothing, so that
/// constants that are computed don't depend on the caller's modes. Restores those.
class DefaultFloatModes {
public:
    DefaultFloatModes() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFloatModes() { std::fesetenv(&saved_); }
    DefaultFloatModes(const DefaultFloatModes&) = delete;
    DefaultFloatModes& operator=(const DefaultFloatModes&) = delete;

private:
    std::fenv_t saved_;
};

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

/// Gives memory that was freed back to the system: large blocks that were freed one by one may stay
/// with the allocator.
void give_back_memory();

}  // namespace rondo
