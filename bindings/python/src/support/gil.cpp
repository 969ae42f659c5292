#include "bindings/python/src/support/gil.hpp"

#include <pthread.h>

namespace rondo::python {

ExitGate& ExitGate::instance() {
    static auto* const gate = [] {
        auto* const made = new ExitGate;
        // A forked child has none of the threads that are inside.
        pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                       [] {
                           instance().inside_ = 0;
                           instance().mutex_.unlock();
                       });
        return made;
    }();
    return *gate;
}

bool ExitGate::enter() {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    ++inside_;
    return true;
}

void ExitGate::leave() {
    const std::lock_guard lock(mutex_);
    --inside_;
    left_.notify_all();
}

void ExitGate::close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    left_.wait(lock, [&] { return inside_ == 0; });
}

void close_gate_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
        const WithoutGil unlocked;
        ExitGate::instance().close();
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
