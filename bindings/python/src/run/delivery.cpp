#include "bindings/python/src/run/delivery.hpp"

#include <chrono>
#include <iterator>
#include <thread>

#include "rondo/error.hpp"

namespace rondo::python {
namespace {

// Making a thread takes longer than waking one.
constexpr std::chrono::seconds kLinger{1};

}  // namespace

void Delivery::check_process() const {
    if (is_in_process()) return;
    throw ModelError("the step was pushed before this process was forked, and runs in the parent");
}

void Delivery::expect() {
    check_process();
    if (!ExitGate::instance().enter()) throw ModelError("the interpreter is ending");
    const std::lock_guard lock(mutex_);
    if (!is_running_) {
        try {
            std::thread([self = shared_from_this()] { self->work(); }).detach();
        } catch (...) {
            ExitGate::instance().leave();
            throw;
        }
        is_running_ = true;
    }
    ++expected_;
}

void Delivery::forget() {
    {
        const std::lock_guard lock(mutex_);
        --expected_;
    }
    ExitGate::instance().leave();
}

void Delivery::deliver(std::vector<SharedObject> calls) {
    {
        const std::lock_guard lock(mutex_);
        calls_.insert(calls_.end(), std::move_iterator(calls.begin()),
                      std::move_iterator(calls.end()));
        expected_ -= calls.size();
    }
    changed_.notify_one();
}

// Empty if the thread is to end.
std::vector<SharedObject> Delivery::next() {
    std::unique_lock lock(mutex_);
    const auto has_calls = [this] { return !calls_.empty(); };
    while (!changed_.wait_for(lock, kLinger, has_calls)) {
        if (expected_ == 0) break;
    }
    is_running_ = !calls_.empty();
    std::vector<SharedObject> calls;
    calls.swap(calls_);
    return calls;
}

void Delivery::call(std::vector<SharedObject> calls) const {
    const WithGil locked;
    py::list list;
    for (const SharedObject& each : calls) list.append(object_of(each));
    calls.clear();
    try {
        py::module_::import("rondo._streams").attr(function_)(list);
    } catch (py::error_already_set& error) {
        error.discard_as_unraisable("the callbacks of a stream pool");
    }
}

void Delivery::work() {
    for (auto calls = next(); !calls.empty(); calls = next()) {
        const std::size_t count = calls.size();
        call(std::move(calls));
        for (std::size_t i = 0; i < count; ++i) ExitGate::instance().leave();
    }
}

}  // namespace rondo::python
