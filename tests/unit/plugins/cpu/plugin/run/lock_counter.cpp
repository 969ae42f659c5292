#include "tests/unit/plugins/cpu/plugin/run/lock_counter.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>

namespace {

std::atomic<long> locks{0};

// The definition that this program's replaces: the C library's, or a sanitizer's.
template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Found by the linker before the C library's; std::mutex and oneTBB come here too.
extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) {
    static auto* const real = next<int(pthread_mutex_t*)>("pthread_mutex_lock");
    ++locks;
    return real(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) {
    static auto* const real = next<int(pthread_mutex_t*)>("pthread_mutex_trylock");
    ++locks;
    return real(mutex);
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
    static auto* const real = next<int(pthread_rwlock_t*)>("pthread_rwlock_rdlock");
    ++locks;
    return real(lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
    static auto* const real = next<int(pthread_rwlock_t*)>("pthread_rwlock_wrlock");
    ++locks;
    return real(lock);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    using Wait = int(pthread_cond_t*, pthread_mutex_t*);
    static auto* const real = next<Wait>("pthread_cond_wait");
    ++locks;
    return real(condition, mutex);
}

}  // extern "C"

namespace rondo::test {

long lock_count() { return locks; }

}  // namespace rondo::test
