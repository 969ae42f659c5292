#include "tests/faults/thread_fault.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <climits>

namespace {

std::atomic<int> threads_left{INT_MAX};
std::atomic<int> threads_refused{0};

}  // namespace

// Replaces the C library's function, also for shared libraries.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    if (threads_left.fetch_sub(1) > 0) return create(thread, attributes, start, argument);
    ++threads_refused;
    return EAGAIN;
}

namespace rondo::test {

ThreadFault::ThreadFault(int allowed) {
    threads_refused = 0;
    threads_left = allowed;
}

ThreadFault::~ThreadFault() { threads_left = INT_MAX; }

int ThreadFault::refused() const { return threads_refused; }

}  // namespace rondo::test
