#include "plugins/cpu/kernels/sequence/task_rows.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::cpu {

TaskRows::TaskRows(const TaskPlan& plan, const TaskCall& call, char* scratch)
    : call_(call),
      order_(reinterpret_cast<std::int64_t*>(scratch + plan.layout.order)),
      lengths_(reinterpret_cast<std::int64_t*>(scratch + plan.layout.lengths)) {
    choose_rows();
    const std::int64_t* lengths = call.args.lengths;
    for (std::int64_t i = 0; i < count_; ++i) {
        lengths_[i] = lengths == nullptr ? call.args.time : lengths[order_[i]];
    }
}

void TaskRows::choose_rows() {
    const auto [index, count] = call_.slice;
    const std::int64_t batch = call_.args.batch;
    const std::int64_t* lengths = call_.args.lengths;
    if (lengths == nullptr) {
        const Range rows = slice_of(batch, index, count);
        count_ = rows.size();
        for (std::int64_t i = 0; i < count_; ++i) order_[i] = rows.begin + i;
        return;
    }
    for (std::int64_t i = 0; i < batch; ++i) order_[i] = i;
    std::sort(order_, order_ + batch, [lengths](std::int64_t a, std::int64_t b) {
        return lengths[a] != lengths[b] ? lengths[a] > lengths[b] : a < b;
    });
    count_ = (batch - index + count - 1) / count;
    for (std::int64_t i = 0; i < count_; ++i) order_[i] = order_[i * count + index];
}

const void* TaskRows::x_at(std::int64_t row, std::int64_t time) const {
    const SequenceArgs& args = call_.args;
    return call_.layer.rows.at(args.x, row * args.x_batch_stride + time * args.x_time_stride);
}

void* TaskRows::y_at(std::int64_t row, std::int64_t time) const {
    const SequenceArgs& args = call_.args;
    return call_.layer.rows.at(args.y, row * args.y_batch_stride +
                                           call_.layer.index * args.y_direction_stride +
                                           time * args.y_time_stride);
}

void TaskRows::load_states(char* h, char* c) const {
    for (std::int64_t i = 0; i < count_; ++i) {
        const std::int64_t at = state_at(call_.args.first, order_[i]);
        load_row(call_.args.h0, at, h + state_bytes(i));
        if (lstm()) load_row(call_.args.c0, at, c + state_bytes(i));
    }
}

// One row of state from element `at` of a tensor (or null: zeros) to a padded row.
void TaskRows::load_row(const void* tensor, std::int64_t at, char* to) const {
    std::memset(to, 0, static_cast<std::size_t>(state_bytes(1)));
    const RowConverter& rows = call_.layer.rows;
    if (tensor != nullptr) rows.load(rows.at(tensor, at), to, shape().hidden);
}

void TaskRows::store_row(const char* from, void* tensor, std::int64_t at, bool zero) const {
    if (tensor == nullptr) return;
    const RowConverter& rows = call_.layer.rows;
    void* to = rows.at(tensor, at);
    if (zero) {
        std::memset(to, 0, static_cast<std::size_t>(shape().hidden) * rows.element_bytes());
    } else {
        rows.store(from, to, shape().hidden);
    }
}

void TaskRows::zero_tail(std::int64_t row, std::int64_t length) const {
    const auto bytes = static_cast<std::size_t>(shape().hidden) * call_.layer.rows.element_bytes();
    for (std::int64_t time = length; time < call_.args.time; ++time) {
        std::memset(y_at(row, time), 0, bytes);
    }
}

void TaskRows::finish(char* const (&h)[2], const char* c) const {
    const SequenceArgs& args = call_.args;
    for (std::int64_t i = 0; i < count_; ++i) {
        const std::int64_t row = order_[i], length = lengths_[i], at = state_at(args.last, row);
        if (args.y != nullptr) zero_tail(row, length);
        const bool zero = length == 0 && args.lengths != nullptr;
        store_row(h[length % 2] + state_bytes(i), args.ho, at, zero);
        if (lstm()) store_row(c + state_bytes(i), args.co, at, zero);
    }
}

}  // namespace rondo::cpu
