// Holds the rows of one task: which rows of the batch they are, their lengths, their states.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"
#include "plugins/cpu/kernels/sequence/task_plan.hpp"

namespace rondo::cpu {

/// Slice `index` of `count` of a batch: neighbours, or, where rows have lengths, every count-th in
/// their order, so that slices take about the same time.
struct RowSlice {
    std::int64_t index = 0;
    std::int64_t count = 1;
};

/// What a task runs on. Whatever it refers to outlives the task.
struct TaskCall {
    const SequenceLayer& layer;
    const PackedLayer& weights;
    const SequenceArgs& args;
    RowSlice slice;
};

/// Rows have the order of falling length, so that those still running are a prefix.
class TaskRows {
public:
    /// Reads the lengths. `scratch`: of the plan's layout.
    TaskRows(const TaskPlan& plan, const TaskCall& call, char* scratch);

    std::int64_t count() const { return count_; }
    std::int64_t length(std::int64_t position) const { return lengths_[position]; }
    /// The number of the row in the batch.
    std::int64_t row(std::int64_t position) const { return order_[position]; }
    /// The number of steps of the longest row.
    std::int64_t steps() const { return count_ == 0 ? 0 : lengths_[0]; }
    /// The time that a row's step is about: reverse layers run each row backwards.
    std::int64_t time_of(std::int64_t position, std::int64_t step) const {
        return call_.layer.reverse ? lengths_[position] - 1 - step : step;
    }

    /// Rows of X and Y, in the call's types.
    const void* x_at(std::int64_t row, std::int64_t time) const;
    void* y_at(std::int64_t row, std::int64_t time) const;

    /// Copies the initial states into scratch.
    void load_states(char* h, char* c) const;
    /// Writes final states, and zeros to Y past each row's end. `h`: states after even and odd
    /// steps; a row that has ended is not written again, so its state is where its last step put
    /// it.
    void finish(char* const (&h)[2], const char* c) const;

private:
    void choose_rows();
    void load_row(const void* tensor, std::int64_t at, char* to) const;
    void store_row(const char* from, void* tensor, std::int64_t at, bool zero) const;
    void zero_tail(std::int64_t row, std::int64_t length) const;
    bool lstm() const { return call_.layer.cell->config().kind == CellKind::lstm; }
    const CellShape& shape() const { return call_.layer.cell->shape(); }
    std::int64_t state_bytes(std::int64_t rows) const {
        return rows * shape().padded * shape().scalar_bytes;
    }
    std::int64_t state_at(const StateStrides& strides, std::int64_t row) const {
        return row * strides.batch + call_.layer.index * strides.direction;
    }

    TaskCall call_;
    std::int64_t* order_;
    std::int64_t* lengths_;
    std::int64_t count_ = 0;
};

}  // namespace rondo::cpu
