#include "core/streams/batch_runner.hpp"

#include <algorithm>
#include <cstring>

#include "core/graph/tensor_impl.hpp"
#include "core/streams/pool_settings.hpp"
#include "core/streams/row_layout.hpp"
#include "core/streams/stream_record.hpp"
#include "core/support/errors.hpp"

namespace rondo {
namespace {

// Twice: streams that begin may have a plan of their own.
std::size_t plans_for(std::size_t max_batch) { return 2 * planned_row_counts(max_batch); }

// A tensor of the step's own, of which no caller holds a handle.
Tensor& own_output(StreamStep::Impl& step, std::size_t index, ElementType type,
                   const Shape& shape) {
    Tensor& own = step.outputs[index];
    const bool fits = own && own.element_type() == type && own.shape() == shape;
    if (!fits || Tensor::Impl::is_shared(own)) own = Tensor(type, shape);
    return own;
}

using Axis = std::optional<std::size_t>;

const Axis& axis_if(bool holds, const Axis& axis) {
    static const Axis kNone;
    return holds ? axis : kNone;
}

bool same_but_for(const Axis& axis, const Shape& a, const Shape& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (axis != i && a[i] != b[i]) return false;
    }
    return true;
}

}  // namespace

BatchRunner::BatchRunner(const PoolSettings& settings, StateStore& states)
    : settings_(settings),
      states_(states),
      executor_(settings.model->create_executor()),
      inputs_(settings.model->inputs().size()),
      outputs_(settings.model->outputs().size()) {
    const std::size_t plans = plans_for(settings.max_batch);
    executor_->keep_plans(plans);
    for (std::size_t i = 0; i < inputs_.size(); ++i) batches_.emplace_back();
    step_states_.reserve(settings.max_batch);
}

BatchRunner::~BatchRunner() {
    for (StreamState& state : kept_) states_.close(state);
}

// The extent of the step's time; 0 if it can't be cut.
std::size_t BatchRunner::length_of(const StreamStep::Impl& step) const {
    std::optional<std::size_t> length;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const auto time = settings_.input_times[i];
        if (!time) continue;
        const Shape& shape = step.inputs[i].shape();
        const bool fits = !length || length == shape[*time];
        if (!fits || shape.size() > kMostBoxAxes) return 0;
        length = shape[*time];
    }
    return length.value_or(0);
}

bool BatchRunner::may_share_batch(const StreamStep::Impl& a, const StreamStep::Impl& b) const {
    const bool may_cut = length_of(a) > 0 && length_of(b) > 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const Tensor& one = a.inputs[i];
        const Tensor& other = b.inputs[i];
        const Axis& open = axis_if(may_cut, settings_.input_times[i]);
        if (!same_but_for(open, one.shape(), other.shape())) return false;
        if (one.element_type() != other.element_type()) return false;
        if (settings_.axes.inputs[i]) continue;
        if (one.shape() != other.shape()) return false;
        const std::size_t bytes = one.byte_size();
        if (bytes > 0 && std::memcmp(one.data(), other.data(), bytes) != 0) return false;
    }
    return states_.may_share_batch(a.stream->state(), b.stream->state());
}

bool BatchRunner::have_one_length(Steps steps) const {
    const std::size_t first = length_of(*steps[0]);
    return std::all_of(steps.begin(), steps.end(),
                       [&](const auto* step) { return length_of(*step) == first; });
}

void BatchRunner::run(Steps steps, const std::atomic<bool>& cancelled) {
    if (!have_one_length(steps)) return run_in_parts(steps, cancelled);
    run_part({steps, planned_rows(steps.size(), settings_.max_batch)}, cancelled);
}

// The longest first, so that the steps that still have time left are in front.
void BatchRunner::run_in_parts(Steps steps, const std::atomic<bool>& cancelled) {
    by_length_.assign(steps.begin(), steps.end());
    std::stable_sort(by_length_.begin(), by_length_.end(),
                     [&](const auto* a, const auto* b) { return length_of(*a) > length_of(*b); });
    keep_states(by_length_);
    try {
        Steps left = by_length_;
        for (std::size_t begin = 0; !left.empty();) {
            const std::size_t end = length_of(*left.back());
            const std::size_t rows = planned_rows(left.size(), settings_.max_batch);
            run_part({left, rows, begin, end - begin}, cancelled);
            begin = end;
            while (!left.empty() && length_of(*left.back()) == end) {
                left = left.first(left.size() - 1);
            }
        }
    } catch (...) {
        restore_states(by_length_);
        throw;
    }
}

void BatchRunner::keep_states(Steps steps) {
    while (kept_.size() < steps.size()) kept_.push_back(states_.open());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        states_.copy(steps[i]->stream->state(), kept_[i]);
    }
}

void BatchRunner::restore_states(Steps steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        states_.restore(kept_[i], steps[i]->stream->state());
    }
}

void BatchRunner::run_part(const Part& part, const std::atomic<bool>& cancelled) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = join_inputs(i, part);
    step_states_.clear();
    for (const StreamStep::Impl* step : part.steps) step_states_.push_back(&step->stream->state());
    states_.load(step_states_, part.rows, executor_->variables());
    std::fill(outputs_.begin(), outputs_.end(), Tensor());
    executor_->run(inputs_, outputs_, cancelled);
    for (std::size_t i = 0; i < outputs_.size(); ++i) cut_output(i, part);
    states_.store(step_states_, part.rows, executor_->variables());
}

const Tensor& BatchRunner::join_inputs(std::size_t input, const Part& part) {
    const Tensor& first = part.steps[0]->inputs[input];
    const auto axis = settings_.axes.inputs[input];
    const Axis& time = axis_if(part.length > 0, settings_.input_times[input]);
    if (!axis || (part.rows == 1 && !time)) return first;
    shape_ = first.shape();
    const RowLayout layout(first.element_type(), shape_, axis);
    shape_[*axis] = part.rows;
    if (time) shape_[*time] = part.length;
    Tensor& batch = batches_[input].reshape(first.element_type(), shape_);
    if (batch.byte_size() == 0) return batch;
    if (time) {
        join_parts(input, part, batch);
        return batch;
    }
    for (std::size_t row = 0; row < part.rows; ++row) {
        const StreamStep::Impl& step = *part.steps[row < part.steps.size() ? row : 0];
        layout.put(step.inputs[input].data(), batch.data(), part.rows, row);
    }
    return batch;
}

void BatchRunner::join_parts(std::size_t input, const Part& part, Tensor& batch) const {
    const std::size_t axis = *settings_.axes.inputs[input];
    Shape box = batch.shape();
    box[axis] = 1;
    BoxPlace from{};
    from[*settings_.input_times[input]] = part.begin;
    for (std::size_t row = 0; row < part.rows; ++row) {
        const StreamStep::Impl& step = *part.steps[row < part.steps.size() ? row : 0];
        const Tensor& whole = step.inputs[input];
        BoxPlace to{};
        to[axis] = row;
        copy_box({static_cast<const char*>(whole.data()), whole.shape(), from},
                 {static_cast<char*>(batch.data()), batch.shape(), to}, box,
                 size_of(whole.element_type()));
    }
}

void BatchRunner::cut_output(std::size_t output, const Part& part) {
    const Axis& time = axis_if(part.length > 0, settings_.output_times[output]);
    if (time) return cut_parts(output, part, *time);
    const Tensor& batch = outputs_[output];
    const auto axis = settings_.axes.outputs[output];
    shape_ = batch.shape();
    if (axis) {
        internal_check(shape_[*axis] % part.rows == 0, "an output has another batch than inputs");
        shape_[*axis] /= part.rows;
    }
    const RowLayout layout(batch.element_type(), shape_, axis);
    const std::size_t rows = axis ? part.rows : 1;
    for (std::size_t row = 0; row < part.steps.size(); ++row) {
        Tensor& own = own_output(*part.steps[row], output, batch.element_type(), shape_);
        if (layout.row_bytes() == 0) continue;
        layout.take(batch.data(), rows, axis ? row : 0, own.data());
    }
}

// Each step's output for all its time is made with the first part, and filled part by part.
void BatchRunner::cut_parts(std::size_t output, const Part& part, std::size_t time) {
    const Tensor& batch = outputs_[output];
    const auto axis = settings_.axes.outputs[output];
    Shape box = batch.shape();
    internal_check(axis && box.size() <= kMostBoxAxes && box[*axis] % part.rows == 0,
                   "an output has another batch than inputs");
    box[*axis] /= part.rows;
    const auto extent_of = [&](std::size_t length) {
        internal_check(box[time] * length % part.length == 0, "an output's time can't be cut");
        return box[time] * length / part.length;
    };
    for (std::size_t row = 0; row < part.steps.size(); ++row) {
        StreamStep::Impl& step = *part.steps[row];
        shape_ = box;
        shape_[time] = extent_of(length_of(step));
        Tensor& own = part.begin == 0 ? own_output(step, output, batch.element_type(), shape_)
                                      : step.outputs[output];
        internal_check(own.shape() == shape_, "the parts of an output differ");
        if (element_count(box) == 0) continue;
        BoxPlace from{};
        from[*axis] = row * box[*axis];
        BoxPlace to{};
        to[time] = extent_of(part.begin);
        copy_box({static_cast<const char*>(batch.data()), batch.shape(), from},
                 {static_cast<char*>(own.data()), own.shape(), to}, box,
                 size_of(batch.element_type()));
    }
}

}  // namespace rondo
