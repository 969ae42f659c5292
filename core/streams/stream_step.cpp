// The handle of a step.
#include "core/runtime/ports.hpp"
#include "core/streams/pool_settings.hpp"
#include "core/streams/step.hpp"
#include "core/streams/stream_record.hpp"
#include "core/streams/stream_worker.hpp"
#include "core/support/api_boundary.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

StreamStep::Impl& filled(StreamStep::Impl* impl) {
    if (impl == nullptr) throw ModelError("the step is empty; get one with Stream::push()");
    return *impl;
}

const Tensor& output_of(StreamStep::Impl& step, std::size_t index) {
    step.wait();
    step.check();
    return step.outputs[index];
}

const std::vector<PortInfo>& ports_of(const StreamStep::Impl& step) {
    return step.stream->worker()->settings().model->outputs();
}

}  // namespace

StreamStep::StreamStep(const StreamStep& other) : impl_(other.impl_) {
    if (impl_ != nullptr) impl_->add_reference();
}

StreamStep& StreamStep::operator=(StreamStep other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
}

StreamStep::~StreamStep() {
    if (impl_ != nullptr) impl_->release();
}

void StreamStep::wait() const {
    at_api_boundary([&] {
        filled(impl_).wait();
        impl_->check();
    });
}

bool StreamStep::wait_for(std::chrono::microseconds timeout) const {
    // The clock counts nanoseconds, which a longer time would overflow.
    constexpr std::chrono::microseconds kMost = std::chrono::hours(24 * 365 * 100);
    return at_api_boundary([&] {
        if (timeout.count() <= 0 || filled(impl_).is_done()) return filled(impl_).is_done();
        return impl_->wait_until(StreamClock::now() + std::min(timeout, kMost));
    });
}

Tensor StreamStep::get_output_tensor(std::size_t index) const {
    return at_api_boundary([&]() -> Tensor {
        const std::size_t count = ports_of(filled(impl_)).size();
        if (index >= count) {
            throw ModelError("the model has no output " + std::to_string(index) + "; there are " +
                             std::to_string(count));
        }
        return output_of(*impl_, index);
    });
}

Tensor StreamStep::get_tensor(const std::string& output) const {
    return at_api_boundary([&]() -> Tensor {
        return output_of(filled(impl_), find_port(ports_of(*impl_), output, "output"));
    });
}

void StreamStep::cancel() {
    at_api_boundary([&] { filled(impl_).cancel("the step was cancelled"); });
}

}  // namespace rondo
