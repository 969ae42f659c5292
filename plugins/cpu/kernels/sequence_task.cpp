#include "plugins/cpu/kernels/sequence_task.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::cpu {
namespace {

// Hands out cache-line aligned pieces of a block of memory; with no memory it only counts.
class Arena {
public:
    explicit Arena(void* memory) : memory_(static_cast<char*>(memory)) {}

    template <typename T>
    T* take(std::int64_t count) {
        T* piece = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + used_);
        const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
        used_ += (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
        return piece;
    }

    std::size_t used() const { return used_; }

private:
    char* memory_;
    std::size_t used_ = 0;
};

struct Layout {
    float* h[2];
    float* c;
    float* update_gate;
    float* reset_hidden;
    float* projected;
    const float** x_rows;
    float** y_rows;
    std::int64_t* tile_rows;
    std::int64_t* order;
    std::int64_t* lengths;
    std::size_t bytes;
};

Layout lay_out(const CellShape& shape, const TaskSize& size, void* memory) {
    Arena arena(memory);
    Layout layout{};
    const std::int64_t state = size.rows * shape.padded;
    layout.h[0] = arena.take<float>(state);
    layout.h[1] = arena.take<float>(state);
    layout.c = arena.take<float>(state);
    layout.update_gate = arena.take<float>(state);
    layout.reset_hidden = arena.take<float>(state);
    layout.projected = arena.take<float>(size.tile * size.rows * shape.projected);
    layout.x_rows = arena.take<const float*>(size.tile * size.rows);
    layout.y_rows = arena.take<float*>(size.tile * size.rows);
    layout.tile_rows = arena.take<std::int64_t>(size.tile + 1);
    layout.order = arena.take<std::int64_t>(size.rows);
    layout.lengths = arena.take<std::int64_t>(size.rows);
    layout.bytes = arena.used();
    return layout;
}

// One row of state from the user's [H] (or null: zeros) to a padded row.
void load_row(const float* from, float* to, const CellShape& shape) {
    const auto hidden = static_cast<std::size_t>(shape.hidden);
    std::memset(to, 0, static_cast<std::size_t>(shape.padded) * sizeof(float));
    if (from != nullptr) std::memcpy(to, from, hidden * sizeof(float));
}

}  // namespace

TaskSize task_size(const CellShape& shape, std::int64_t rows, std::int64_t time,
                   std::int64_t l2_bytes) {
    const std::int64_t step_bytes =
        std::max<std::int64_t>(1, rows * shape.projected) * std::int64_t{sizeof(float)};
    const std::int64_t fitting = l2_bytes / 4 / step_bytes;
    return {rows, time, std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(1, time))};
}

std::size_t task_scratch_bytes(const CellShape& shape, const TaskSize& size) {
    return lay_out(shape, size, nullptr).bytes;
}

SequenceTask::SequenceTask(const SequenceLayer& layer, const SequenceArgs& args, Range rows,
                           const TaskSize& size, void* scratch)
    : layer_(layer),
      args_(args),
      size_(size),
      first_row_(rows.begin),
      rows_(rows.end - rows.begin) {
    const Layout layout = lay_out(layer.cell->shape(), size, scratch);
    h_[0] = layout.h[0];
    h_[1] = layout.h[1];
    c_ = layout.c;
    update_gate_ = layout.update_gate;
    reset_hidden_ = layout.reset_hidden;
    projected_ = layout.projected;
    x_rows_ = layout.x_rows;
    y_rows_ = layout.y_rows;
    tile_rows_ = layout.tile_rows;
    order_ = layout.order;
    lengths_ = layout.lengths;
}

std::int64_t SequenceTask::length_of(std::int64_t row) const {
    return args_.lengths == nullptr ? args_.time : args_.lengths[row];
}

void SequenceTask::begin() {
    sort_rows();
    load_state();
    steps_ = rows_ == 0 ? 0 : lengths_[0];
}

void SequenceTask::sort_rows() {
    for (std::int64_t i = 0; i < rows_; ++i) order_[i] = first_row_ + i;
    if (args_.lengths != nullptr) {
        std::sort(order_, order_ + rows_, [this](std::int64_t a, std::int64_t b) {
            const std::int64_t length_a = args_.lengths[a], length_b = args_.lengths[b];
            return length_a != length_b ? length_a > length_b : a < b;
        });
    }
    for (std::int64_t i = 0; i < rows_; ++i) lengths_[i] = length_of(order_[i]);
}

void SequenceTask::load_state() {
    const CellShape& shape = layer_.cell->shape();
    const bool lstm = layer_.cell->config().kind == CellKind::lstm;
    for (std::int64_t i = 0; i < rows_; ++i) {
        const std::int64_t at =
            order_[i] * args_.state.batch + layer_.index * args_.state.direction;
        const std::int64_t row = i * shape.padded;
        load_row(args_.h0 == nullptr ? nullptr : args_.h0 + at, h_[0] + row, shape);
        if (lstm) load_row(args_.c0 == nullptr ? nullptr : args_.c0 + at, c_ + row, shape);
    }
}

std::int64_t SequenceTask::active_at(std::int64_t step) const {
    const std::int64_t index = step - tile_first_;
    return tile_rows_[index + 1] - tile_rows_[index];
}

void SequenceTask::begin_tile(std::int64_t first_step) {
    tile_first_ = first_step;
    tile_steps_ = std::min(size_.tile, steps_ - first_step);
    std::int64_t active = rows_;
    std::int64_t count = 0;
    for (std::int64_t index = 0; index < tile_steps_; ++index) {
        const std::int64_t step = first_step + index;
        while (active > 0 && lengths_[active - 1] <= step) --active;
        tile_rows_[index] = count;
        for (std::int64_t i = 0; i < active; ++i, ++count) {
            const std::int64_t time = layer_.reverse ? lengths_[i] - 1 - step : step;
            x_rows_[count] =
                args_.x + order_[i] * args_.x_batch_stride + time * args_.x_time_stride;
            if (args_.y == nullptr) continue;
            y_rows_[count] = args_.y + order_[i] * args_.y_batch_stride +
                             layer_.index * args_.y_direction_stride + time * args_.y_time_stride;
        }
    }
    tile_rows_[tile_steps_] = count;
}

void SequenceTask::project(Range panels) {
    GemmArgs gemm;
    gemm.m = tile_rows_[tile_steps_];
    gemm.a_rows = x_rows_;
    gemm.c = projected_;
    gemm.c_stride = layer_.cell->shape().projected;
    layer_.gemm->run_panels(layer_.projection.view, gemm, {panels.begin, panels.end});
}

void SequenceTask::step(std::int64_t step, int phase, Range blocks) {
    const std::int64_t first = tile_rows_[step - tile_first_];
    CellStepArgs cell;
    cell.rows = active_at(step);
    cell.block_begin = blocks.begin;
    cell.block_end = blocks.end;
    cell.weights = &layer_.weights;
    cell.projected = projected_ + first * layer_.cell->shape().projected;
    cell.h_prev = h_[step % 2];
    cell.h_next = h_[(step + 1) % 2];
    cell.c = c_;
    cell.update_gate = update_gate_;
    cell.reset_hidden = reset_hidden_;
    cell.y = args_.y == nullptr ? nullptr : y_rows_ + first;
    layer_.cell->run(phase, cell);
}

void SequenceTask::zero_tail(std::int64_t row, std::int64_t length) {
    float* y = args_.y + row * args_.y_batch_stride + layer_.index * args_.y_direction_stride;
    const auto bytes = static_cast<std::size_t>(layer_.cell->shape().hidden) * sizeof(float);
    for (std::int64_t time = length; time < args_.time; ++time) {
        std::memset(y + time * args_.y_time_stride, 0, bytes);
    }
}

// A row that has ended is not written again: its state stays in the buffer of its last step.
void SequenceTask::finish_row(std::int64_t position) {
    const CellShape& shape = layer_.cell->shape();
    const auto bytes = static_cast<std::size_t>(shape.hidden) * sizeof(float);
    const std::int64_t row = order_[position], length = lengths_[position];
    if (args_.y != nullptr) zero_tail(row, length);
    const std::int64_t at = row * args_.state.batch + layer_.index * args_.state.direction;
    const bool zero = length == 0 && args_.lengths != nullptr;
    const float* h = h_[length % 2] + position * shape.padded;
    const float* c = c_ + position * shape.padded;
    if (args_.ho != nullptr) {
        zero ? std::memset(args_.ho + at, 0, bytes) : std::memcpy(args_.ho + at, h, bytes);
    }
    if (args_.co != nullptr && layer_.cell->config().kind == CellKind::lstm) {
        zero ? std::memset(args_.co + at, 0, bytes) : std::memcpy(args_.co + at, c, bytes);
    }
}

void SequenceTask::finish() {
    for (std::int64_t i = 0; i < rows_; ++i) finish_row(i);
}

void SequenceTask::run() {
    begin();
    const Range blocks{0, layer_.cell->shape().blocks};
    const Range panels{0, layer_.gemm->panels(layer_.projection.view.n)};
    for (std::int64_t first = 0; first < steps_; first += size_.tile) {
        begin_tile(first);
        project(panels);
        for (std::int64_t s = first; s < first + tile_steps_; ++s) {
            for (int phase = 0; phase < layer_.cell->phases(); ++phase) step(s, phase, blocks);
        }
    }
    finish();
}

}  // namespace rondo::cpu
