#include "tests/unit/bindings/ladspa/lock_count.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

namespace {

thread_local long t_count = 0;

// The C library's own function.
template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    static const auto call = next<int(pthread_mutex_t*)>("pthread_mutex_lock");
    ++t_count;
    return call(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    static const auto call = next<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
    ++t_count;
    return call(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    static const auto call = next<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
    ++t_count;
    return call(lock);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    static const auto call = next<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
    ++t_count;
    return call(condition, mutex);
}

int sem_wait(sem_t* semaphore) {
    static const auto call = next<int(sem_t*)>("sem_wait");
    ++t_count;
    return call(semaphore);
}

int sched_yield() noexcept {
    static const auto call = next<int()>("sched_yield");
    ++t_count;
    return call();
}

int nanosleep(const timespec* time, timespec* left) {
    static const auto call = next<int(const timespec*, timespec*)>("nanosleep");
    ++t_count;
    return call(time, left);
}

}  // extern "C"

namespace rondo::test {

long lock_count() { return t_count; }

}  // namespace rondo::test
