// Python's global lock from C++, and what background threads may do while the interpreter ends.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

namespace rondo::python {

namespace py = pybind11;

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

/// Counts the threads and the background work that will ask for Python's lock. A thread that asks a
/// dying interpreter for its lock never returns, so the interpreter waits here before it ends, and
/// nothing new may begin.
class ExitGate {
public:
    /// The process has one interpreter, hence one gate. It is never destroyed: threads outlive
    /// static objects.
    static ExitGate& instance();

    /// False once the interpreter has begun to end. Every true is followed by a leave().
    bool enter();
    void leave();
    /// Waits until all have left. The lock must not be held.
    void close();

private:
    static constexpr std::size_t kClosed = ~(~std::size_t{0} >> 1);

    std::atomic<std::size_t> inside_{0};  // with the bit kClosed
    std::mutex mutex_;
    std::condition_variable left_;
};

/// Makes Python close the gate before it ends.
void close_gate_at_exit();

/// Gives Python's lock up, so that other Python threads run meanwhile. The lock must be held. The
/// interpreter doesn't end before the thread has it again; where that has begun, threads other than
/// the main one keep the lock: they would never get it back.
class WithoutGil {
public:
    WithoutGil();
    ~WithoutGil();
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

private:
    const bool is_inside_;
    PyThreadState* saved_ = nullptr;
};

/// A Python object that may be released on any thread, with Python's lock held or not.
using SharedObject = std::shared_ptr<PyObject>;
SharedObject share(py::object object);
/// None where it is empty. The lock must be held.
py::object object_of(const SharedObject& shared);

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
