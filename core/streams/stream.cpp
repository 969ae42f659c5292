// A stream's handle: pushing steps, and its state.
#include <cstring>
#include <thread>

#include "core/streams/state_bytes.hpp"
#include "core/streams/stream_pool_impl.hpp"
#include "core/support/api_boundary.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {

using Step = StreamStep::Impl;

namespace {

[[noreturn]] void throw_closed() { throw ModelError("the stream is closed; open another one"); }

[[noreturn]] void throw_closed_pool() { throw ModelError("the stream pool is closed"); }

StepRef another(const StepRef& step) {
    step->add_reference();
    return StepRef(step.get());
}

}  // namespace

Stream::Impl::~Impl() { close(); }

void Stream::Impl::check_is_open() const {
    record_->worker()->check_process();
    const bool is_closed = !is_open();  // looked at first: a pool that ends closes its streams
    if (record_->worker()->is_stopped()) throw_closed_pool();
    if (is_closed) throw_closed();
}

StepRef Stream::Impl::make(Step::Task task) { return record_->worker()->make_step(record_, task); }

void Stream::Impl::take_place() {
    const StreamPoolOptions& options = pool_->settings().options;
    std::atomic<std::uint32_t>& waiting = record_->waiting();
    const bool any = options.queue_limit == 0 || options.overflow == Overflow::drop_oldest;
    std::uint32_t now = waiting.load(std::memory_order_relaxed);
    while (true) {
        if (now == StreamRecord::kRetired) {
            while (is_open()) std::this_thread::yield();  // it is being closed
            throw_closed();
        }
        if (any || now < options.queue_limit) {
            if (waiting.compare_exchange_weak(now, now + 1, std::memory_order_acquire)) return;
        } else if (options.overflow == Overflow::reject) {
            record_->worker()->counts().rejected.fetch_add(1, std::memory_order_relaxed);
            throw QueueFullError("the stream's queue is full: " + std::to_string(now) +
                                 " steps wait, queue_limit is " +
                                 std::to_string(options.queue_limit));
        } else {
            record_->worker()->check_may_wait();
            waiting.wait(now, std::memory_order_acquire);
            now = waiting.load(std::memory_order_relaxed);
        }
    }
}

void Stream::Impl::keep_input(Step& step, std::size_t index, const Tensor& tensor) const {
    const PoolSettings& settings = pool_->settings();
    const PortInfo& port = settings.model->inputs()[index];
    if (!tensor) throw ModelError(describe(port, "input") + " was not given");
    const Shape& shape = input_shape(port, tensor);
    const auto axis = settings.axes.inputs[index];
    if (axis && tensor.shape()[*axis] != 1) {
        throw ModelError(describe(port, "input") + ": got shape " + to_string(tensor.shape()) +
                         "; a stream's step has an extent of 1 along the batch (axis " +
                         std::to_string(*axis) + "); with max_batch 1 it may have any extent");
    }
    Tensor& own = step.inputs[index];
    const bool fits = own && own.element_type() == tensor.element_type() && own.shape() == shape;
    if (!fits) own = Tensor(tensor.element_type(), shape);
    if (shape == tensor.shape()) return tensor.copy_to(own);
    std::memcpy(own.data(), tensor.strided_data(), own.byte_size());  // one element, as a scalar
}

void Stream::Impl::keep_inputs(Step& step, const std::vector<Tensor>& inputs) const {
    const auto& ports = pool_->settings().model->inputs();
    if (inputs.size() != ports.size()) {
        throw ModelError("got " + counted(inputs.size(), "input") + "; the model has " +
                         std::to_string(ports.size()));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) keep_input(step, i, inputs[i]);
}

void Stream::Impl::keep_inputs(Step& step, const std::map<std::string, Tensor>& inputs) const {
    const auto& ports = pool_->settings().model->inputs();
    std::vector<bool> given(ports.size());
    for (const auto& [name, tensor] : inputs) {
        const std::size_t index = pool_->input(name);
        keep_input(step, index, tensor);
        given[index] = true;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!given[i]) throw ModelError(describe(ports[i], "input") + " was not given");
    }
}

template <typename Inputs>
StreamStep Stream::Impl::push(const Inputs& inputs, Callback callback, bool wakes) {
    check_is_open();
    StepRef step = make(Step::Task::infer);
    keep_inputs(*step, inputs);
    step->callback = std::move(callback);
    step->may_run_here = !step->callback;
    take_place();
    if (!record_->worker()->post(another(step), wakes)) {
        record_->leave_queue(pool_->settings().options.overflow);
        throw_closed_pool();
    }
    if (!wakes) {
        step->wait();
        step->check();
    }
    return StreamStep(step.detach());
}

void Stream::Impl::post(Step::Task task) { post(make(task)); }

void Stream::Impl::post(StepRef step) {
    if (!record_->worker()->post(std::move(step), true)) throw_closed_pool();
}

// Returns when it is done.
StepRef Stream::Impl::run(StepRef step) {
    if (!record_->worker()->post(another(step), false)) throw_closed_pool();
    step->wait();
    step->check();
    return step;
}

void Stream::Impl::warm_up(const std::vector<Tensor>& inputs) {
    check_is_open();
    record_->worker()->check_may_wait();
    StepRef step = make(Step::Task::warm_up);
    keep_inputs(*step, inputs);
    run(std::move(step));
}

StateStore::Values Stream::Impl::state(Step::Task task) {
    check_is_open();
    record_->worker()->check_may_wait();
    return std::move(run(make(task))->values);
}

void Stream::Impl::load_state(StateStore::Values state) {
    check_is_open();
    record_->worker()->states().check_saved(state);
    StepRef step = make(Step::Task::load_state);
    step->values = std::move(state);
    post(std::move(step));
}

void Stream::Impl::set_state(const StateStore::Values& state) {
    check_is_open();
    record_->worker()->states().check(state);
    StepRef step = make(Step::Task::set_state);
    for (const auto& [name, value] : state) step->values.emplace(name, copy_of(value));
    post(std::move(step));
}

void Stream::Impl::reset() {
    check_is_open();
    post(Step::Task::reset);
}

Stream Stream::Impl::fork() {
    check_is_open();
    record_->worker()->check_may_wait();
    Stream other = pool_->open(record_->worker(), record_->options());
    StepRef step = make(Step::Task::fork);
    step->forked = other.impl_->record_;
    run(std::move(step));
    return other;
}

void Stream::Impl::cancel() {
    record_->worker()->check_process();
    if (!is_open()) return;
    record_->worker()->post(make(Step::Task::cancel_waiting), true);  // or the pool cancels all
}

void Stream::Impl::close() noexcept {
    if (!record_->worker()->is_in_its_process()) return;  // a thread of the parent may hold a lock
    if (record_->is_closed().exchange(true) || record_->worker()->is_stopped()) return;
    try {
        record_->worker()->post(make(Step::Task::close), true);
    } catch (...) {  // no memory for the step
        record_->worker()->close_later(record_);
    }
}

namespace {

Stream::Impl& filled(const std::shared_ptr<Stream::Impl>& impl) {
    if (impl == nullptr) throw ModelError("the stream is empty; get one with StreamPool::open()");
    return *impl;
}

}  // namespace

StreamStep Stream::push(const std::vector<Tensor>& inputs) {
    return at_api_boundary([&] { return filled(impl_).push(inputs, nullptr, true); });
}
StreamStep Stream::push(const std::map<std::string, Tensor>& inputs) {
    return at_api_boundary([&] { return filled(impl_).push(inputs, nullptr, true); });
}
StreamStep Stream::push(const std::vector<Tensor>& inputs, Callback callback) {
    return at_api_boundary([&] { return filled(impl_).push(inputs, std::move(callback), true); });
}
StreamStep Stream::push(const std::map<std::string, Tensor>& inputs, Callback callback) {
    return at_api_boundary([&] { return filled(impl_).push(inputs, std::move(callback), true); });
}
StreamStep Stream::infer(const std::vector<Tensor>& inputs) {
    return at_api_boundary([&] { return filled(impl_).push(inputs, nullptr, false); });
}
StreamStep Stream::infer(const std::map<std::string, Tensor>& inputs) {
    return at_api_boundary([&] { return filled(impl_).push(inputs, nullptr, false); });
}
std::map<std::string, Tensor> Stream::state() const {
    return at_api_boundary([&] { return filled(impl_).state(Step::Task::get_state); });
}
void Stream::set_state(const std::map<std::string, Tensor>& state) {
    at_api_boundary([&] { filled(impl_).set_state(state); });
}
Tensor Stream::save_state() const {
    return at_api_boundary([&] { return bytes_of(filled(impl_).state(Step::Task::save_state)); });
}
void Stream::load_state(const Tensor& bytes) {
    at_api_boundary([&] { filled(impl_).load_state(values_in(bytes)); });
}
void Stream::reset() {
    at_api_boundary([&] { filled(impl_).reset(); });
}
Stream Stream::fork() const {
    return at_api_boundary([&] { return filled(impl_).fork(); });
}
void Stream::cancel() {
    at_api_boundary([&] { filled(impl_).cancel(); });
}
void Stream::close() {
    at_api_boundary([&] { filled(impl_).close(); });
}
bool Stream::is_open() const { return impl_ != nullptr && impl_->is_open(); }

}  // namespace rondo
