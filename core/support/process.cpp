#include "core/support/process.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <pthread.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

namespace rondo {

std::optional<std::string> env(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
}

namespace {

std::atomic<unsigned> forks{0};

}  // namespace

// Never destroyed: mutexes outlive static objects.
class ForkMutexes {
public:
    static ForkMutexes& instance() {
        static auto* const only = [] {
            auto* const made = new ForkMutexes;
            ::pthread_atfork([] { instance().take(); }, [] { instance().release(); },
                             [] { instance().renew(); });
            return made;
        }();
        return *only;
    }

    void add(ForkMutex& mutex) {
        const std::lock_guard lock(mutex_);
        mutex.next_ = first_;
        if (first_ != nullptr) first_->previous_ = &mutex;
        first_ = &mutex;
    }

    void remove(ForkMutex& mutex) {
        const std::lock_guard lock(mutex_);
        if (mutex.next_ != nullptr) mutex.next_->previous_ = mutex.previous_;
        (mutex.previous_ != nullptr ? mutex.previous_->next_ : first_) = mutex.next_;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kPatience{2};
    static constexpr std::chrono::microseconds kPause{50};

    // Another thread may hold one mutex and wait for a second: none is kept while one is missing.
    void take() {
        const Clock::time_point end = Clock::now() + kPatience;
        mutex_.lock();
        while (!(is_taken_ = try_all())) {
            if (Clock::now() >= end) return;
            mutex_.unlock();
            std::this_thread::sleep_for(kPause);
            mutex_.lock();
        }
    }

    bool try_all() {
        for (ForkMutex* each = first_; each != nullptr; each = each->next_) {
            if (each->try_lock()) continue;
            for (ForkMutex* taken = first_; taken != each; taken = taken->next_) taken->unlock();
            return false;
        }
        return true;
    }

    void release() {
        if (is_taken_) {
            for (ForkMutex* each = first_; each != nullptr; each = each->next_) each->unlock();
        }
        mutex_.unlock();
    }

    // In the child, where no thread is left that could unlock them.
    void renew() {
        forks.fetch_add(1);
        for (ForkMutex* each = first_; each != nullptr && !is_taken_; each = each->next_) {
            new (&each->mutex_) std::mutex;
        }
        release();
    }

    std::mutex mutex_;
    ForkMutex* first_ = nullptr;
    bool is_taken_ = false;  // between take() and release()
};

ForkMutex::ForkMutex() { ForkMutexes::instance().add(*this); }
ForkMutex::~ForkMutex() { ForkMutexes::instance().remove(*this); }

unsigned fork_count() { return forks.load(std::memory_order_relaxed); }

void give_back_memory() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace rondo
