#include "bindings/python/src/support/gil.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <new>

namespace rondo::python {

namespace {

// Python makes a thread's state without the global lock, but with one of its own. With Python 3.11,
// a child forked meanwhile finds that one locked, and waits for ever; from 3.13 on, forks hold it,
// and must not wait for a thread that does. So fork() waits here, with those before.
class ThreadStates {
public:
    static ThreadStates& instance() {
        static auto* const only = new ThreadStates;
        return *only;
    }

    PyThreadState* make() {
        const std::lock_guard lock(mutex_);
        PyThreadState* const state = PyThreadState_New(PyInterpreterState_Main());
        if (state == nullptr) Py_FatalError("rondo: no memory for the state of a thread");
        return state;
    }

    void before_fork() { is_taken_ = mutex_.try_lock_for(kPatience); }
    void after_fork() {
        if (is_taken_) mutex_.unlock();
    }
    void renew() { new (&mutex_) std::timed_mutex; }

private:
    // With tracemalloc, Python takes the global lock, too, which the thread that forks has.
    static constexpr std::chrono::milliseconds kPatience{100};

    std::timed_mutex mutex_;
    static inline thread_local bool is_taken_ = false;  // by this thread, which forks
};

}  // namespace

WithGil::WithGil() {
    if (PyGILState_GetThisThreadState() != nullptr) {
        state_ = PyGILState_Ensure();
    } else {
        made_ = ThreadStates::instance().make();
        PyEval_AcquireThread(made_);
    }
}

WithGil::~WithGil() {
    if (made_ == nullptr) {
        PyGILState_Release(state_);
    } else {
        PyThreadState_Clear(made_);
        PyThreadState_DeleteCurrent();
    }
}

void make_forks_wait_for_thread_states() {
#if PY_VERSION_HEX < 0x030D0000
    pthread_atfork([] { ThreadStates::instance().before_fork(); },
                   [] { ThreadStates::instance().after_fork(); },
                   [] { ThreadStates::instance().renew(); });
#endif
}

ExitGate& ExitGate::instance() {
    static auto* const gate = [] {
        auto* const made = new ExitGate;
        // A forked child has none of the threads that are inside.
        pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                       [] {
                           instance().inside_ &= kClosed;
                           instance().paused_ = 0;
                           instance().mutex_.unlock();
                       });
        return made;
    }();
    return *gate;
}

bool ExitGate::enter() {
    std::size_t inside = inside_;
    while ((inside & kClosed) == 0) {
        if (inside_.compare_exchange_weak(inside, inside + 1)) return true;
    }
    return false;
}

void ExitGate::leave() {
    inside_.fetch_sub(1);
    notify_if_over();
}

bool ExitGate::begin_pause() {
    paused_.fetch_add(1);
    if (inside_ != kClosed) return true;
    end_pause();
    return false;
}

void ExitGate::end_pause() {
    paused_.fetch_sub(1);
    notify_if_over();
}

void ExitGate::notify_if_over() {
    if (!may_end()) return;
    const std::lock_guard lock(mutex_);
    left_.notify_all();
}

void ExitGate::close() {
    inside_.fetch_or(kClosed);
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return may_end(); });
}

WithoutGil::WithoutGil() : is_paused_(ExitGate::instance().begin_pause()) {
    const auto is_main_thread = [] { return ::gettid() == ::getpid(); };
    if (is_paused_ || is_main_thread()) saved_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
    if (saved_ != nullptr) PyEval_RestoreThread(saved_);
    if (is_paused_) ExitGate::instance().end_pause();
}

void close_gate_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
        PyThreadState* const saved = PyEval_SaveThread();
        ExitGate::instance().close();
        PyEval_RestoreThread(saved);
    }));
}

namespace {

void release_anywhere(PyObject* object) {
    with_gil_until_end([&] { Py_DECREF(object); });  // the interpreter takes its objects with it
}

}  // namespace

SharedObject share(py::object object) {
    if (!object || object.is_none()) return nullptr;
    return {object.release().ptr(), release_anywhere};
}

py::object object_of(const SharedObject& shared) {
    if (shared == nullptr) return py::none();
    return py::reinterpret_borrow<py::object>(shared.get());
}

int visit_object(const SharedObject& shared, visitproc visit, void* argument) {
    return shared == nullptr ? 0 : visit(shared.get(), argument);
}

}  // namespace rondo::python
