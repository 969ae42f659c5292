#include "bindings/python/src/support/gil.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <new>

namespace rondo::python {

namespace {

// Held while Python makes a thread's state, which needs no global lock but one of Python's own. In
// Python 3.11 a child forked meanwhile finds that one locked, and waits for ever.
std::timed_mutex& thread_states_mutex() {
    static auto* const mutex = new std::timed_mutex;
    return *mutex;
}

// Another handler of forks may wait, once this mutex is taken, for what needs a state.
constexpr std::chrono::seconds kPatience{2};

PyThreadState* new_thread_state() {
    const std::unique_lock lock(thread_states_mutex(), kPatience);
    PyThreadState* const state = PyThreadState_New(PyInterpreterState_Main());
    if (state == nullptr) throw std::bad_alloc();
    return state;
}

}  // namespace

WithGil::WithGil() {
    if (PyGILState_GetThisThreadState() != nullptr) {
        state_ = PyGILState_Ensure();
    } else {
        made_ = new_thread_state();
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
    const py::cpp_function lock([] { thread_states_mutex().lock(); });
    const py::cpp_function unlock([] { thread_states_mutex().unlock(); });
    const py::object os = py::module_::import("os");
    if (!py::hasattr(os, "register_at_fork")) return;  // a system without forks
    os.attr("register_at_fork")(py::arg("before") = lock, py::arg("after_in_parent") = unlock,
                                py::arg("after_in_child") = unlock);
}

ExitGate& ExitGate::instance() {
    static auto* const gate = [] {
        auto* const made = new ExitGate;
        // A forked child has none of the threads that are inside.
        pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                       [] {
                           instance().inside_ &= kClosed;
                           instance().mutex_.unlock();
                       });
        return made;
    }();
    return *gate;
}

bool ExitGate::enter() {
    if ((inside_.fetch_add(1) & kClosed) == 0) return true;
    leave();
    return false;
}

void ExitGate::leave() {
    if (inside_.fetch_sub(1) != kClosed + 1) return;
    const std::lock_guard lock(mutex_);
    left_.notify_all();
}

void ExitGate::close() {
    inside_.fetch_or(kClosed);
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return inside_ == kClosed; });
}

WithoutGil::WithoutGil() : is_inside_(ExitGate::instance().enter()) {
    const auto is_main_thread = [] { return ::gettid() == ::getpid(); };
    if (is_inside_ || is_main_thread()) saved_ = PyEval_SaveThread();
}

WithoutGil::~WithoutGil() {
    if (saved_ != nullptr) PyEval_RestoreThread(saved_);
    if (is_inside_) ExitGate::instance().leave();
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
    if (!Py_IsInitialized()) return;  // the interpreter took its objects with it
    if (PyGILState_Check()) {
        Py_DECREF(object);
    } else if (ExitGate::instance().enter()) {
        {
            const WithGil locked;
            Py_DECREF(object);
        }
        ExitGate::instance().leave();
    }
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
