#include "bindings/python/src/run/stream_step.hpp"

#include <algorithm>
#include <new>

#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/seconds.hpp"
#include "bindings/python/src/support/gil.hpp"
#include "rondo/error.hpp"

namespace rondo::python {
namespace {

using Clock = std::chrono::steady_clock;

// A small model's step takes less than it takes to put this thread to sleep and wake it.
constexpr std::chrono::microseconds kSpin{20};

[[noreturn]] void raise_timeout(const py::object& timeout) {
    const std::string message =
        "the step has not ended within " + py::cast<std::string>(py::str(timeout)) + " s";
    const py::object type = py::module_::import("concurrent.futures").attr("TimeoutError");
    PyErr_SetString(type.ptr(), message.c_str());
    throw py::error_already_set();
}

}  // namespace

PoolParts::PoolParts(std::shared_ptr<const SharedModel> of, const StreamPoolOptions& options)
    : program(std::move(of)),
      pool(CompiledModel(program->model).create_stream_pool(options)),
      blocks(options.overflow == Overflow::block) {}

// In a forked child it is left where it is: its destructor would wait for threads of the parent.
PoolParts::~PoolParts() {
    if (deliveries->is_in_process()) {
        destroy_without_gil(pool);
    } else {
        new StreamPool(std::move(pool));
    }
}

void PoolParts::close() {
    if (!deliveries->is_in_process()) return;
    const WithoutGil unlocked;
    pool.close();
}

// In a forked child, destroying the condition would wait for threads of the parent.
StepEnd::~StepEnd() {
    if (!deliveries->is_in_process()) new (&changed) std::condition_variable;
}

void StepEnd::finish() {
    std::vector<SharedObject> all_calls;
    std::vector<SharedObject> all_wakes;
    {
        const std::lock_guard lock(mutex);
        is_finished = true;
        all_calls.swap(calls);
        all_wakes.swap(wakes);
    }
    changed.notify_all();
    if (!all_wakes.empty()) deliveries->wakes->deliver(std::move(all_wakes));
    if (!all_calls.empty()) deliveries->callbacks->deliver(std::move(all_calls));
}

Results outputs_of(const StreamStep& step, const SharedModel& program) {
    const std::size_t count = program.outputs->size();
    Results results{program.outputs, py::tuple(count)};
    for (std::size_t i = 0; i < count; ++i) {
        results.values[i] = copy_of(step.get_output_tensor(i));
    }
    return results;
}

bool PyStreamStep::wait_a_moment(std::chrono::nanoseconds timeout) {
    end_->deliveries->callbacks->check_process();
    bool done = false;
    {
        const WithoutGil unlocked;
        const Clock::time_point sleep_at = Clock::now() + std::min<Clock::duration>(timeout, kSpin);
        while (!step_.is_done() && Clock::now() < sleep_at) {
        }
        std::unique_lock lock(end_->mutex);
        done = end_->changed.wait_for(lock, timeout, [this] { return step_.is_done(); });
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return done;
}

bool PyStreamStep::wait(std::optional<std::chrono::nanoseconds> timeout) {
    const Clock::time_point begin = Clock::now();
    while (!step_.is_done()) {
        std::chrono::nanoseconds next = kSignalInterval;
        if (timeout) next = std::min(next, begin + *timeout - Clock::now());
        if (next.count() <= 0) return false;
        if (wait_a_moment(next)) return true;
    }
    return true;
}

void PyStreamStep::check(const py::object& timeout) {
    std::optional<std::chrono::nanoseconds> time;
    if (!timeout.is_none()) time = time_from(timeout, "timeout");
    if (!wait(time)) raise_timeout(timeout);
    step_.wait();
}

py::object PyStreamStep::result(const py::object& timeout) {
    if (!results_) {
        check(timeout);
        py::object results = py::cast(outputs_of(step_, *pool_->program));
        if (!results_) results_ = std::move(results);  // another thread may have been here
    }
    return results_;
}

bool PyStreamStep::cancel() {
    step_.cancel();
    if (end_->deliveries->is_in_process()) {
        { const std::lock_guard lock(end_->mutex); }
        end_->changed.notify_all();
    }
    return is_cancelled();
}

bool PyStreamStep::is_cancelled() const {
    if (!step_.is_done()) return false;
    try {
        step_.wait();
    } catch (const CancelledError&) {
        return true;
    } catch (const std::exception&) {
        return false;
    }
    return false;
}

bool PyStreamStep::call_at_end(const py::tuple& call) {
    return bring(call, *end_->deliveries->callbacks, end_->calls);
}

bool PyStreamStep::wake_at_end(const py::tuple& call) {
    return bring(call, *end_->deliveries->wakes, end_->wakes);
}

// `calls`: of the step's end, for the delivery `by`.
bool PyStreamStep::bring(const py::tuple& call, Delivery& by, std::vector<SharedObject>& calls) {
    if (step_.is_done()) return false;
    by.expect();
    try {
        SharedObject shared = share(call);
        {
            const std::lock_guard lock(end_->mutex);
            if (!end_->is_finished) {
                calls.push_back(std::move(shared));
                return true;
            }
        }
        by.deliver({std::move(shared)});
    } catch (...) {
        by.forget();
        throw;
    }
    return true;
}

}  // namespace rondo::python
