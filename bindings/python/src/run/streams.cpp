#include "bindings/python/src/run/streams.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include "bindings/python/src/convert/arguments.hpp"
#include "bindings/python/src/convert/arrays.hpp"
#include "bindings/python/src/convert/dtypes.hpp"
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

// The array of each output of a step that has ended. Needs Python's lock.
Results outputs_of(const StreamStep& step, const SharedModel& program) {
    const std::size_t count = program.outputs->size();
    Results results{program.outputs, py::tuple(count)};
    for (std::size_t i = 0; i < count; ++i) {
        results.values[i] = copy_of(step.get_output_tensor(i));
    }
    return results;
}

Tensor state_tensor(const std::string& name, py::handle value) {
    if (py::isinstance<PyTensor>(value)) return py::cast<const PyTensor&>(value).tensor;
    const std::string place = "variable '" + name + "': ";
    const py::array array = array_from(value, place);
    const ElementType type = type_of(array.dtype());
    return (can_share(array, type) ? tensor_sharing(array) : tensor_copying(array, type, place))
        .tensor;
}

// A tensor for each of the model's inputs, empty if `inputs` doesn't give it. They share the
// arrays' memory if they can.
std::vector<Tensor> step_inputs(const py::object& inputs, const SharedModel& program) {
    const PortList& ports = *program.inputs;
    OwnTensors own(ports.size());
    std::vector<Tensor> tensors(ports.size());
    for (auto& [index, tensor] : input_tensors(inputs, ports, true, own)) {
        tensors[index] = std::move(tensor.tensor);
    }
    return tensors;
}

// The pools whose threads run. Never destroyed: threads outlive static objects. Guarded by Python's
// lock.
std::vector<std::weak_ptr<PoolParts>>& live_pools() {
    static auto* const pools = new std::vector<std::weak_ptr<PoolParts>>;
    return *pools;
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

bool PyStreamStep::wait_a_moment(std::chrono::nanoseconds timeout) {
    end_->deliveries->callbacks->check_process();
    const bool done = without_gil([&] {
        const Clock::time_point sleep_at = Clock::now() + std::min<Clock::duration>(timeout, kSpin);
        while (!step_.is_done() && Clock::now() < sleep_at) {
        }
        std::unique_lock lock(end_->mutex);
        return end_->changed.wait_for(lock, timeout, [this] { return step_.is_done(); });
    });
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

// In a forked child it is left where it is: there is no thread to close it.
PyStream::~PyStream() {
    if (!pool_->deliveries->is_in_process()) new Stream(std::move(stream_));
}

// Python's lock is kept if the push can't wait: others would take it, and keep it for long.
std::unique_ptr<PyStreamStep> PyStream::push(const py::object& inputs) {
    const std::vector<Tensor> tensors = step_inputs(inputs, *pool_->program);
    auto end = std::make_shared<StepEnd>(pool_->deliveries);
    Stream::Callback callback = [end](const StreamStep&) { end->finish(); };
    const auto push = [&] { return stream_.push(tensors, std::move(callback)); };
    StreamStep step = pool_->blocks ? without_gil(push) : push();
    return std::make_unique<PyStreamStep>(pool_, std::move(end), std::move(step));
}

Results PyStream::infer(const py::object& inputs) {
    const std::vector<Tensor> tensors = step_inputs(inputs, *pool_->program);
    return outputs_of(without_gil([&] { return stream_.infer(tensors); }), *pool_->program);
}

py::dict PyStream::state() const {
    py::dict state;
    for (const auto& [name, value] : without_gil([&] { return stream_.state(); }))
        state[py::str(name)] = copy_of(value);
    return state;
}

py::bytes PyStream::save_state() const {
    const Tensor bytes = without_gil([&] { return stream_.save_state(); });
    return {static_cast<const char*>(bytes.data()), bytes.byte_size()};
}

void PyStream::load_state(const py::bytes& bytes) {
    const std::string_view text = bytes;
    // Nothing writes to it.
    stream_.load_state({ElementType::u8, {text.size()}, const_cast<char*>(text.data())});
}

void PyStream::set_state(const py::object& state) {
    const auto dict = dict_from(state);
    if (!dict) throw py::type_error("set_state: expected a dict of variables' names and arrays");
    std::map<std::string, Tensor> values;
    for (const auto& [key, value] : *dict) {
        if (!py::isinstance<py::str>(key)) {
            throw py::type_error("a variable is named by its name, not by " + repr_of(key));
        }
        const std::string name = utf8_from(key, "the name of a variable");
        values.emplace(name, state_tensor(name, value));
    }
    stream_.set_state(values);
}

std::unique_ptr<PyStream> PyStream::fork() const {
    return std::make_unique<PyStream>(pool_, without_gil([&] { return stream_.fork(); }));
}

PyStreamPool::PyStreamPool(std::shared_ptr<const SharedModel> program,
                           const StreamPoolOptions& options)
    : parts_(std::make_shared<PoolParts>(std::move(program), options)) {
    auto& pools = live_pools();
    pools.erase(
        std::remove_if(pools.begin(), pools.end(), [](const auto& pool) { return pool.expired(); }),
        pools.end());
    pools.push_back(parts_);
}

std::unique_ptr<PyStream> PyStreamPool::open(int priority, const py::object& deadline) {
    StreamOptions options;
    options.priority = priority;
    options.deadline = std::chrono::ceil<std::chrono::microseconds>(
        duration_from(deadline, "option 'deadline' of a stream"));
    return std::make_unique<PyStream>(parts_, parts_->pool.open(options));
}

void PyStreamPool::warm_up(const py::object& inputs) {
    const std::vector<Tensor> tensors = step_inputs(inputs, *parts_->program);
    const WithoutGil unlocked;
    parts_->pool.warm_up(tensors);
}

void PyStreamPool::close() { parts_->close(); }

Overflow overflow_from(const std::string& name) {
    if (name == "reject") return Overflow::reject;
    if (name == "block") return Overflow::block;
    if (name == "drop_oldest") return Overflow::drop_oldest;
    throw ModelError("option 'overflow' of a stream pool: got '" + name +
                     "'; expected 'reject', 'block' or 'drop_oldest'");
}

void close_pools_at_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
        for (const auto& pool : std::exchange(live_pools(), {})) {
            const auto parts = pool.lock();
            if (parts != nullptr) parts->close();
        }
    }));
}

}  // namespace rondo::python
