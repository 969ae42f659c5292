// Python's global lock from C++, and what background threads may do while the interpreter ends.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

namespace rondo::python {

namespace py = pybind11;

/// How long a wait goes on before it looks whether Python has got a signal, such as Ctrl-C.
constexpr std::chrono::milliseconds kSignalInterval{100};

/// Holds Python's lock; for threads that Python doesn't know. Nests.
class WithGil {
public:
    WithGil();
    ~WithGil();
    WithGil(const WithGil&) = delete;
    WithGil& operator=(const WithGil&) = delete;

private:
    PyThreadState* made_ = nullptr;  // for a thread that had none
    PyGILState_STATE state_{};       // for one that had
};

/// Makes fork() wait while WithGil makes the state of a thread.
void make_forks_wait_for_thread_states();

/// Counts the background work and the threads that will ask for Python's lock. A thread that asks a
/// dying interpreter for its lock never returns, so the interpreter waits here before it ends, and
/// nothing new may begin.
class ExitGate {
public:
    /// The process has one interpreter, hence one gate. It is never destroyed: threads outlive
    /// static objects.
    static ExitGate& instance();

    /// For work. False once the interpreter has begun to end. Every true is followed by a leave().
    bool enter();
    void leave();
    /// For a thread that gives the lock up for a while. It may do so until all work has ended,
    /// since some may need the lock. Every true is followed by an end_pause().
    bool begin_pause();
    void end_pause();
    /// Waits until all have left. The lock must not be held.
    void close();

private:
    static constexpr std::size_t kClosed = ~(~std::size_t{0} >> 1);
    bool may_end() const { return inside_ == kClosed && paused_ == 0; }
    void notify_if_over();

    std::atomic<std::size_t> inside_{0};  // with the bit kClosed
    std::atomic<std::size_t> paused_{0};
    std::mutex mutex_;
    std::condition_variable left_;
};

/// Makes Python close the gate before it ends.
void close_gate_at_exit();

/// Gives Python's lock up, so that other Python threads run meanwhile. The lock must be held. The
/// interpreter doesn't end before the thread has it again; if that has begun and no work is
/// left, threads other than the main one keep the lock: they would never get it back.
class WithoutGil {
public:
    WithoutGil();
    ~WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

private:
    const bool is_paused_;
    PyThreadState* saved_ = nullptr;
};

/// What `work` returns, which runs with Python's lock given up.
template <typename Work>
auto without_gil(const Work& work) {
    const WithoutGil unlocked;
    return work();
}

/// A Python object that may be released on any thread, with Python's lock held or not.
using SharedObject = std::shared_ptr<PyObject>;
SharedObject share(py::object object);
/// None if it is empty. The lock must be held.
py::object object_of(const SharedObject& shared);

/// Calls `work`, which must not throw, with Python's lock held, on any thread; if the
/// interpreter has begun to end and the lock isn't held, it doesn't.
template <typename Work>
void with_gil_until_end(Work work) {
    if (!Py_IsInitialized()) return;
    if (PyGILState_Check()) {
        work();
    } else if (ExitGate::instance().enter()) {
        {
            const WithGil locked;
            work();
        }
        ExitGate::instance().leave();
    }
}

/// Shows the object to Python's garbage collector.
int visit_object(const SharedObject& shared, visitproc visit, void* argument);

/// Destroys what may wait for background threads, which in turn may wait for Python's lock.
template <typename T>
void destroy_without_gil(T& value) {
    if (Py_IsInitialized() && PyGILState_Check()) {
        const WithoutGil unlocked;
        value = {};
    } else {
        value = {};
    }
}

}  // namespace rondo::python
