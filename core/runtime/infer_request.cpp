#include "rondo/infer_request.hpp"

#include <algorithm>
#include <new>
#include <thread>
#include <tuple>

#include <unistd.h>

#include "core/runtime/compiled_model_impl.hpp"
#include "core/runtime/ports.hpp"
#include "core/support/api_boundary.hpp"
#include "rondo/error.hpp"
#include "rondo/variable_state.hpp"

namespace rondo {
namespace {

// The clock counts nanoseconds, which a longer time would overflow.
constexpr std::chrono::milliseconds kMostTimeout = std::chrono::hours(24 * 365 * 100);

}  // namespace

// Ends the busy state on every way out of an inference.
class InferRequest::Impl::Busy {
public:
    explicit Busy(std::atomic<bool>& flag) : flag_(flag) {}
    ~Busy() { flag_.store(false, std::memory_order_release); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    std::atomic<bool>& flag_;
};

InferRequest::Impl::Impl(std::shared_ptr<CompiledModel::Impl> model)
    : model_(std::move(model)),
      executor_(model_->create_executor()),
      inputs_(model_->inputs().size()),
      bound_outputs_(model_->outputs().size()),
      outputs_(bound_outputs_.size()),
      made_in_(::getpid()) {}

void InferRequest::Impl::check_index(std::size_t index, std::size_t count,
                                     std::string_view kind) const {
    if (index < count) return;
    throw ModelError("the model has no " + std::string(kind) + " " + std::to_string(index) +
                     "; there are " + std::to_string(count));
}

void InferRequest::Impl::check_idle() const {
    if (!busy_.load(std::memory_order_acquire)) return;
    check_started_here();
    std::string hint;
    if (made_in_ != ::getpid()) {
        hint = "; if it ran while this process was forked, it never ends here: make a new request";
    }
    throw ModelError(
        "the request is busy: wait() for the inference that runs, or use a request for each "
        "thread" +
        hint);
}

// A forked child has the memory of its parent's inferences, but not the threads that run them.
void InferRequest::Impl::check_started_here() const {
    const pid_t process = started_in_.load(std::memory_order_acquire);
    if (process == 0 || process == ::getpid()) return;
    throw ModelError(
        "the inference was started before this process was forked, and runs in the parent alone; "
        "make a new request");
}

void InferRequest::Impl::begin() {
    for (bool idle = false; !busy_.compare_exchange_strong(idle, true, std::memory_order_acquire);
         idle = false) {
        check_idle();
    }
    cancelled_.store(false, std::memory_order_relaxed);
}

std::size_t InferRequest::Impl::only(std::string_view kind) const {
    const std::size_t count = kind == "input" ? inputs_.size() : outputs_.size();
    if (count != 1) {
        throw ModelError("the model has " + std::to_string(count) + " " + std::string(kind) +
                         "s; name the one to set, or give its index");
    }
    return 0;
}

void InferRequest::Impl::set_input(std::size_t index, const Tensor& tensor) {
    check_idle();
    check_index(index, inputs_.size(), "input");
    const Shape& shape = input_shape(model_->inputs()[index], tensor);
    keep_input(index, shape == tensor.shape() ? tensor : tensor.reshaped(shape));
}

// Settled here, so that inferences with the same tensors don't ask again.
void InferRequest::Impl::keep_input(std::size_t index, const Tensor& tensor) {
    inputs_[index] = tensor;
    dense_inputs_.clear();  // they may hold the tensor that was there
    has_strided_inputs_ = has_strided_inputs_ || !tensor.is_contiguous();
}

void InferRequest::Impl::set_output(std::size_t index, const Tensor& tensor) {
    check_idle();
    check_index(index, outputs_.size(), "output");
    const PortInfo& port = model_->outputs()[index];
    check_fits(port, "output", tensor.element_type(), tensor.shape());
    if (!tensor.is_contiguous()) {
        throw UnsupportedError("output '" + port.any_name() +
                               "' can't be written to a tensor with strides; give a row-major one");
    }
    bound_outputs_[index] = tensor;
}

void InferRequest::Impl::set_output_allocator(OutputAllocator allocator) {
    check_idle();
    const bool is_called = executor_->set_output_allocator(allocator);
    copies_to_ = is_called ? nullptr : std::move(allocator);
}

void InferRequest::Impl::set_tensor(const std::string& name, const Tensor& tensor) {
    const std::size_t inputs = model_->inputs().size();
    const std::size_t place = model_->place_of(name);
    place < inputs ? set_input(place, tensor) : set_output(place - inputs, tensor);
}

Tensor InferRequest::Impl::get_input(std::size_t index) {
    check_idle();
    check_index(index, inputs_.size(), "input");
    const PortInfo& port = model_->inputs()[index];
    if (!inputs_[index]) {
        if (!port.shape.is_static()) {
            throw ModelError(describe(port, "input") +
                             " has no tensor yet, and its shape is open: set one");
        }
        keep_input(index, Tensor(port.element_type, port.shape.to_shape()));
    }
    return inputs_[index];
}

Tensor InferRequest::Impl::get_output(std::size_t index) {
    check_idle();
    check_index(index, outputs_.size(), "output");
    if (outputs_[index]) return outputs_[index];
    if (bound_outputs_[index]) return bound_outputs_[index];
    throw ModelError(describe(model_->outputs()[index], "output") +
                     " has no tensor yet: call infer() first");
}

Tensor InferRequest::Impl::get_tensor(const std::string& name) {
    const std::size_t inputs = model_->inputs().size();
    const std::size_t place = model_->place_of(name);
    return place < inputs ? get_input(place) : get_output(place - inputs);
}

// Strided inputs are copied for each inference: their elements may have changed.
std::span<const Tensor> InferRequest::Impl::dense_inputs() {
    if (!has_strided_inputs_) return inputs_;
    dense_inputs_.clear();
    has_strided_inputs_ = !std::all_of(inputs_.begin(), inputs_.end(),
                                       [](const Tensor& input) { return input.is_contiguous(); });
    if (!has_strided_inputs_) return inputs_;
    for (const Tensor& input : inputs_) dense_inputs_.push_back(input.contiguous());
    return dense_inputs_;
}

void InferRequest::Impl::run() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (inputs_[i]) continue;
        throw ModelError(describe(model_->inputs()[i], "input") + " was not set");
    }
    std::copy(bound_outputs_.begin(), bound_outputs_.end(), outputs_.begin());
    executor_->run(dense_inputs(), outputs_, cancelled_);
    if (copies_to_) copy_to_given_memory();
}

void InferRequest::Impl::copy_to_given_memory() {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        if (bound_outputs_[i]) continue;
        void* memory = copies_to_(i, outputs_[i].shape());
        if (memory == nullptr) continue;
        Tensor given(outputs_[i].element_type(), outputs_[i].shape(), memory);
        outputs_[i].copy_to(given);
        outputs_[i] = std::move(given);
    }
}

void InferRequest::Impl::infer() {
    begin();
    const Busy busy(busy_);
    run();
}

// In a forked child state that a thread of the parent was using is leaked on purpose: destroying
// the condition would wait for the threads that have been woken.
InferRequest::Impl::~Impl() {
    if (made_in_ == ::getpid()) return;
    settle_in(::getpid());
    if (!busy_) return;
    using Left = std::tuple<std::unique_ptr<Executor>, std::vector<Tensor>, std::vector<Tensor>>;
    static_cast<void>(
        new Left(std::move(executor_), std::move(outputs_), std::move(dense_inputs_)));
}

// A thread of the parent may have held the mutex, or waited, when this process was forked.
void InferRequest::Impl::settle_in(pid_t process) {
    if (made_in_ == process) return;
    new (&mutex_) std::mutex;
    new (&done_) std::condition_variable;
    made_in_ = process;
}

void InferRequest::Impl::start_async() {
    begin();
    try {
        check_started_here();
    } catch (...) {
        const Busy busy(busy_);
        throw;
    }
    settle_in(::getpid());
    const std::lock_guard lock(mutex_);  // what waits finds the inference in the runner's queue
    const std::uint64_t turn = ++turn_;
    pending_ = true;
    started_in_.store(::getpid(), std::memory_order_release);
    error_ = nullptr;
    try {
        model_->runner().push([self = shared_from_this(), turn] { self->run_in_background(turn); },
                              this);
    } catch (...) {
        const Busy busy(busy_);
        pending_ = false;
        started_in_.store(0, std::memory_order_release);
        throw;
    }
    done_.notify_all();  // a callback that waits may have to run it
}

void InferRequest::Impl::run_in_background(std::uint64_t turn) {
    std::exception_ptr error;
    std::function<void(std::exception_ptr)> callback;
    {
        const Busy busy(busy_);  // over before the callback, so that it may read the outputs
        callback = callback_;
        called_turn_.store(turn, std::memory_order_relaxed);
        calls_back_.store(std::this_thread::get_id(), std::memory_order_relaxed);
        try {
            at_api_boundary([&] { run(); });
        } catch (...) {
            error = std::current_exception();
        }
    }
    try {
        if (callback) callback(error);
    } catch (...) {
        if (error == nullptr) error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (turn != turn_) return;  // the callback started the next inference, which is waited for now
    error_ = error;
    pending_ = false;
    started_in_.store(0, std::memory_order_release);  // last: a forked child may look at any moment
    done_.notify_all();
}

bool InferRequest::Impl::has_nothing_to_wait_for() const {
    check_started_here();  // before the lock, which a thread of the parent may have
    if (made_in_ == ::getpid()) return false;
    if (error_ != nullptr) std::rethrow_exception(error_);
    return true;
}

// An inference ends with its callback.
void InferRequest::Impl::check_not_called_back() const {
    const bool is_callback =
        calls_back_.load(std::memory_order_relaxed) == std::this_thread::get_id();
    if (!pending_ || !is_callback || called_turn_ != turn_) return;
    throw ModelError("a callback can't wait for the inference that it is called for");
}

// On a thread of the runner: runs the inference, where no thread has begun it; also the next one
// that a callback starts. False if it hasn't ended at that time.
bool InferRequest::Impl::wait_until(std::unique_lock<std::mutex>& lock,
                                    std::chrono::steady_clock::time_point end) {
    while (pending_) {
        const std::uint64_t turn = turn_;
        lock.unlock();
        const bool helped = model_->runner().help(this);
        lock.lock();
        if (helped && std::chrono::steady_clock::now() >= end) break;
        const auto may_go_on = [&] { return !pending_ || turn != turn_; };
        if (!helped && !done_.wait_until(lock, end, may_go_on)) break;
    }
    if (pending_) return false;
    if (error_ != nullptr) std::rethrow_exception(error_);
    return true;
}

void InferRequest::Impl::wait() {
    if (has_nothing_to_wait_for()) return;
    std::unique_lock lock(mutex_);
    check_not_called_back();
    wait_until(lock, std::chrono::steady_clock::now() + kMostTimeout);
}

bool InferRequest::Impl::wait_for(std::chrono::milliseconds timeout) {
    const auto bounded = std::clamp(timeout, std::chrono::milliseconds(0), kMostTimeout);
    if (has_nothing_to_wait_for()) return true;
    const auto end = std::chrono::steady_clock::now() + bounded;
    std::unique_lock lock(mutex_);
    return wait_until(lock, end);
}

void InferRequest::Impl::cancel() { cancelled_.store(true, std::memory_order_relaxed); }

void InferRequest::Impl::set_callback(std::function<void(std::exception_ptr)> callback) {
    check_idle();
    callback_ = std::move(callback);
}

std::vector<ProfilingInfo> InferRequest::Impl::profiling() const {
    check_idle();
    return executor_->profiling();
}

std::vector<TraceSlice> InferRequest::Impl::trace() const {
    check_idle();
    return executor_->trace();
}

std::span<VariableValue> InferRequest::Impl::variables() {
    check_idle();
    return executor_->variables();
}

// A request, and which of its variables.
class VariableState::Impl {
public:
    Impl(std::shared_ptr<InferRequest::Impl> request, std::size_t index)
        : request_(std::move(request)), index_(index) {}

    VariableValue& value() const { return request_->variables()[index_]; }

private:
    std::shared_ptr<InferRequest::Impl> request_;
    std::size_t index_;
};

namespace {

InferRequest::Impl& filled(const std::shared_ptr<InferRequest::Impl>& impl) {
    if (impl == nullptr) {
        throw ModelError(
            "the request is empty; make one with CompiledModel::create_infer_request()");
    }
    return *impl;
}

VariableValue& filled(const std::shared_ptr<VariableState::Impl>& impl) {
    if (impl == nullptr) {
        throw ModelError("the variable state is empty; get one with InferRequest::query_state()");
    }
    return impl->value();
}

}  // namespace

void InferRequest::set_tensor(const std::string& name, const Tensor& tensor) {
    at_api_boundary([&] { filled(impl_).set_tensor(name, tensor); });
}
void InferRequest::set_input_tensor(std::size_t index, const Tensor& tensor) {
    filled(impl_).set_input(index, tensor);
}
void InferRequest::set_output_tensor(std::size_t index, const Tensor& tensor) {
    filled(impl_).set_output(index, tensor);
}
void InferRequest::set_input_tensor(const Tensor& tensor) {
    filled(impl_).set_input(impl_->only("input"), tensor);
}
void InferRequest::set_output_tensor(const Tensor& tensor) {
    filled(impl_).set_output(impl_->only("output"), tensor);
}
void InferRequest::set_output_allocator(OutputAllocator allocator) {
    filled(impl_).set_output_allocator(std::move(allocator));
}
Tensor InferRequest::get_tensor(const std::string& name) {
    return at_api_boundary([&] { return filled(impl_).get_tensor(name); });
}
Tensor InferRequest::get_input_tensor(std::size_t index) {
    return at_api_boundary([&] { return filled(impl_).get_input(index); });
}
Tensor InferRequest::get_output_tensor(std::size_t index) {
    return filled(impl_).get_output(index);
}
void InferRequest::infer() {
    at_api_boundary([&] { filled(impl_).infer(); });
}
void InferRequest::start_async() {
    at_api_boundary([&] { filled(impl_).start_async(); });
}
void InferRequest::wait() { filled(impl_).wait(); }
bool InferRequest::wait_for(std::chrono::milliseconds timeout) {
    return filled(impl_).wait_for(timeout);
}
void InferRequest::cancel() { filled(impl_).cancel(); }
void InferRequest::set_callback(std::function<void(std::exception_ptr)> callback) {
    filled(impl_).set_callback(std::move(callback));
}
std::vector<VariableState> InferRequest::query_state() {
    return at_api_boundary([&] {
        std::vector<VariableState> states;
        for (std::size_t i = 0; i < filled(impl_).variables().size(); ++i) {
            states.emplace_back(std::make_shared<VariableState::Impl>(impl_, i));
        }
        return states;
    });
}
void InferRequest::reset_state() {
    at_api_boundary([&] {
        for (auto& variable : filled(impl_).variables()) variable.reset();
    });
}
std::vector<ProfilingInfo> InferRequest::get_profiling_info() const {
    return at_api_boundary([&] { return filled(impl_).profiling(); });
}
std::vector<TraceSlice> InferRequest::get_trace() const {
    return at_api_boundary([&] { return filled(impl_).trace(); });
}

std::string VariableState::get_name() const { return filled(impl_).name(); }
Tensor VariableState::get_state() const { return filled(impl_).copy(); }
void VariableState::set_state(const Tensor& tensor) { filled(impl_).set(tensor); }
void VariableState::reset() { filled(impl_).reset(); }

}  // namespace rondo
