#include "plugins/cpu/kernels/sequence/sequence_task.hpp"

#include <xmmintrin.h>

#include <algorithm>
#include <cstring>

#include "plugins/cpu/kernels/choice/strategy_plan.hpp"

namespace rondo::cpu {
namespace {

// Whether the L3 has no room for W beside R: reading W drives R out.
bool outgrows_l3(const SequenceLayer& layer, const CpuFeatures& features) {
    return outgrows_l3(static_cast<double>(packed_layer_bytes(layer)), features);
}

// Hands out cache-line aligned pieces of a block of memory; with no memory it only counts.
class Arena {
public:
    explicit Arena(void* memory) : memory_(static_cast<char*>(memory)) {}

    template <typename T>
    T* take(std::int64_t count) {
        T* piece = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + used_);
        used_ += whole_lines(static_cast<std::size_t>(count) * sizeof(T));
        return piece;
    }

    std::size_t used() const { return used_; }

private:
    char* memory_;
    std::size_t used_ = 0;
};

struct Layout {
    char* h[2];
    char* c;
    char* update_gate;
    char* reset_hidden;
    char* projected;
    char* widened;
    const void** x_rows;
    void** y_rows;
    std::int64_t* tile_rows;
    std::int64_t* order;
    std::int64_t* lengths;
    LookAhead* sides;
    std::size_t bytes;
};

Layout lay_out(const CellShape& shape, const TaskSize& size, void* memory) {
    Arena arena(memory);
    Layout layout{};
    const std::int64_t rows = size.load.rows;
    const std::int64_t state = rows * shape.padded * shape.scalar_bytes;
    const std::int64_t places = size.tile * rows;
    layout.h[0] = arena.take<char>(state);
    layout.h[1] = arena.take<char>(state);
    layout.c = arena.take<char>(state);
    layout.update_gate = arena.take<char>(state);
    layout.reset_hidden = arena.take<char>(state);
    layout.projected = arena.take<char>(places * shape.projected * shape.scalar_bytes);
    layout.widened = arena.take<char>(places * size.widened * shape.scalar_bytes);
    layout.x_rows = arena.take<const void*>(places);
    layout.y_rows = arena.take<void*>(places);
    layout.tile_rows = arena.take<std::int64_t>(size.tile + 1);
    layout.order = arena.take<std::int64_t>(std::max(rows, size.load.batch));
    layout.lengths = arena.take<std::int64_t>(rows);
    if (size.rolling) layout.sides = arena.take<LookAhead>(SequenceTask::kMaxSlices);
    layout.bytes = arena.used();
    return layout;
}

}  // namespace

TaskSize task_size(const SequenceLayer& layer, const TaskLoad& load, const CpuFeatures& features,
                   bool may_roll) {
    const CellShape& shape = layer.cell->shape();
    TaskSize size;
    size.load = load;
    size.widened = layer.rows.converts() ? layer.cell->config().input_size : 0;
    size.joint = load.time == 1 && load.rows <= kMaxFusedRows && can_fuse_input(layer);
    size.rolling = !size.joint && may_roll && can_roll(layer, load.rows, features);
    if (size.rolling) {
        size.tile = 2 * kLookAheadSteps;  // those in use, and those in the making
        return size;
    }
    const std::int64_t scalars = load.rows * (shape.projected + size.widened);
    const std::int64_t step_bytes = std::max<std::int64_t>(1, scalars) * shape.scalar_bytes;
    const std::int64_t fitting = tile_bytes(features, outgrows_l3(layer, features)) / step_bytes;
    size.tile = std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(1, load.time));
    return size;
}

// Rolling reads W once in kLookAheadSteps steps.
bool can_roll(const SequenceLayer& layer, std::int64_t rows, const CpuFeatures& features) {
    return rows == 1 && can_look_ahead(layer) && !outgrows_l3(layer, features);
}

std::size_t task_scratch_bytes(const CellShape& shape, const TaskSize& size) {
    return lay_out(shape, size, nullptr).bytes;
}

SequenceTask::SequenceTask(const SequenceLayer& layer, const PackedLayer& weights,
                           const SequenceArgs& args, const RowShare& share, const TaskSize& size,
                           void* scratch)
    : layer_(layer), weights_(weights), args_(args), size_(size), share_(share) {
    const Layout layout = lay_out(shape(), size, scratch);
    h_[0] = layout.h[0];
    h_[1] = layout.h[1];
    c_ = layout.c;
    update_gate_ = layout.update_gate;
    reset_hidden_ = layout.reset_hidden;
    projected_ = layout.projected;
    widened_ = layout.widened;
    x_rows_ = layout.x_rows;
    y_rows_ = layout.y_rows;
    tile_rows_ = layout.tile_rows;
    order_ = layout.order;
    lengths_ = layout.lengths;
    sides_ = layout.sides;
}

std::int64_t SequenceTask::length_of(std::int64_t row) const {
    return args_.lengths == nullptr ? args_.time : args_.lengths[row];
}

void SequenceTask::begin() {
    choose_rows();
    load_state();
    steps_ = rows_ == 0 ? 0 : lengths_[0];
}

void SequenceTask::choose_rows() {
    if (args_.lengths == nullptr) {
        const std::int64_t first = args_.batch * share_.index / share_.count;
        rows_ = args_.batch * (share_.index + 1) / share_.count - first;
        for (std::int64_t i = 0; i < rows_; ++i) order_[i] = first + i;
    } else {
        for (std::int64_t i = 0; i < args_.batch; ++i) order_[i] = i;
        std::sort(order_, order_ + args_.batch, [this](std::int64_t a, std::int64_t b) {
            const std::int64_t length_a = args_.lengths[a], length_b = args_.lengths[b];
            return length_a != length_b ? length_a > length_b : a < b;
        });
        rows_ = (args_.batch - share_.index + share_.count - 1) / share_.count;
        for (std::int64_t i = 0; i < rows_; ++i)
            order_[i] = order_[i * share_.count + share_.index];
    }
    for (std::int64_t i = 0; i < rows_; ++i) lengths_[i] = length_of(order_[i]);
}

void SequenceTask::load_state() {
    const bool lstm = layer_.cell->config().kind == CellKind::lstm;
    for (std::int64_t i = 0; i < rows_; ++i) {
        const std::int64_t at =
            order_[i] * args_.state.batch + layer_.index * args_.state.direction;
        load_row(args_.h0, at, h_[0] + state_bytes(i));
        if (lstm) load_row(args_.c0, at, c_ + state_bytes(i));
    }
}

// One row of state from element `at` of a tensor (or null: zeros) to a padded row.
void SequenceTask::load_row(const void* tensor, std::int64_t at, char* to) const {
    std::memset(to, 0, static_cast<std::size_t>(state_bytes(1)));
    if (tensor != nullptr) layer_.rows.load(layer_.rows.at(tensor, at), to, shape().hidden);
}

void SequenceTask::store_row(const char* from, void* tensor, std::int64_t at, bool zero) const {
    if (tensor == nullptr) return;
    void* to = layer_.rows.at(tensor, at);
    if (zero) {
        const auto hidden = static_cast<std::size_t>(shape().hidden);
        std::memset(to, 0, hidden * layer_.rows.element_bytes());
    } else {
        layer_.rows.store(from, to, shape().hidden);
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
            x_rows_[count] = input_row(order_[i], time, count);
            if (args_.y == nullptr) continue;
            y_rows_[count] = y_at(order_[i], time);
        }
    }
    tile_rows_[tile_steps_] = count;
    inputs_ = {weights_.projection.panels, weights_.projection.bias, x_rows_};
}

// A row of X, widened into place `place` of the tile where the kernels can't read it as it is.
const void* SequenceTask::input_row(std::int64_t row, std::int64_t time, std::int64_t place) {
    const void* x =
        layer_.rows.at(args_.x, row * args_.x_batch_stride + time * args_.x_time_stride);
    if (!layer_.rows.converts()) return x;
    char* wide = widened_ + place * size_.widened * shape().scalar_bytes;
    layer_.rows.load(x, wide, size_.widened);
    return wide;
}

void SequenceTask::project(Range panels) {
    if (size_.joint) return;
    GemmArgs gemm;
    gemm.m = tile_rows_[tile_steps_];
    gemm.a_rows = x_rows_;
    gemm.c = projected_;
    gemm.c_stride = shape().projected;
    layer_.gemm->run_panels(weights_.projection, gemm, {panels.begin, panels.end});
}

// The state that other cores have just written: all lines are asked for before the first is needed.
void SequenceTask::fetch_state(std::int64_t step, int phase, Range own, std::int64_t rows) const {
    const char* state = phase == 0 ? h_[step % 2] : reset_hidden_;
    const std::int64_t block_bytes = shape().lanes * shape().scalar_bytes;
    for (std::int64_t row = 0; row < rows; ++row, state += state_bytes(1)) {
        for (std::int64_t block = 0; block < shape().blocks; ++block) {
            if (block >= own.begin && block < own.end) continue;
            _mm_prefetch(state + block * block_bytes, _MM_HINT_T0);
        }
    }
}

Range SequenceTask::panels_of(Range blocks) const {
    return {blocks.begin * shape().gates, blocks.end * shape().gates};
}

void SequenceTask::step(std::int64_t step, int phase, Range blocks, int slice) {
    const std::int64_t rows = rolling() ? 1 : active_at(step);
    if (blocks.end - blocks.begin < shape().blocks) fetch_state(step, phase, blocks, rows);
    CellStepArgs cell = step_args(step, blocks);
    cell.rows = rows;
    const bool stores_y = args_.y != nullptr && !layer_.rows.converts();
    void* y = nullptr;
    if (rolling()) {
        if (stores_y) y = y_at(order_[0], rolling_time(step));
        cell.y = stores_y ? &y : nullptr;
        cell.ahead = &sides_[slice];
        if (phase == 0 && step % kLookAheadSteps == 0) roll_before(step, blocks, sides_[slice]);
    } else {
        cell.y = stores_y ? y_rows_ + tile_rows_[step - tile_first_] : nullptr;
    }
    layer_.cell->run(phase, cell);
    if (phase + 1 < layer_.cell->phases()) return;
    if (args_.y != nullptr && !stores_y) store_y(step, blocks);
    if (rolling() && (step + 1) % kLookAheadSteps == 0) roll_after(sides_[slice]);
}

CellStepArgs SequenceTask::step_args(std::int64_t step, Range blocks) const {
    const std::int64_t row = rolling() ? step % (2 * kLookAheadSteps) : tile_rows_[step - tile_first_];
    CellStepArgs cell;
    cell.block_begin = blocks.begin;
    cell.block_end = blocks.end;
    cell.backward = step % 2 != 0;
    cell.weights = &weights_.cell;
    cell.projected = projected_row(row);
    cell.input = size_.joint ? &inputs_ : nullptr;
    cell.h_prev = h_[step % 2];
    cell.h_next = h_[(step + 1) % 2];
    cell.c = c_;
    cell.update_gate = update_gate_;
    cell.reset_hidden = reset_hidden_;
    return cell;
}

// What the slice does on the side of the next steps: the inputs of those behind them. Where these
// are too few, or nothing came before them, they are projected now.
void SequenceTask::roll_before(std::int64_t step, Range blocks, LookAhead& side) {
    const Range panels = panels_of(blocks);
    if (step == 0) project_now(0, panels);
    const std::int64_t next = step + kLookAheadSteps;
    side = LookAhead();
    if (next + kLookAheadSteps > steps_) {
        if (next < steps_) project_now(next, panels);
        return;
    }
    side.panels = weights_.projection.panels;
    side.bias = weights_.projection.bias;
    side.k = weights_.projection.k;
    side.x = input_at(next);
    side.x_stride = (layer_.reverse ? -1 : 1) * args_.x_time_stride * shape().scalar_bytes;
    side.projected = projected_row(next % (2 * kLookAheadSteps));
    side.next = panels.begin;
    side.end = panels.end;
    side.first_step = next;
}

// What the kernel has not got to.
void SequenceTask::roll_after(const LookAhead& side) {
    if (side.next < side.end) project_now(side.first_step, {side.next, side.end});
}

void SequenceTask::project_now(std::int64_t first, Range panels) {
    GemmArgs gemm;
    gemm.m = std::min<std::int64_t>(kLookAheadSteps, steps_ - first);
    gemm.a = input_at(first);
    gemm.a_stride = layer_.reverse ? -args_.x_time_stride : args_.x_time_stride;
    gemm.c = projected_row(first % (2 * kLookAheadSteps));
    gemm.c_stride = shape().projected;
    layer_.gemm->run_panels(weights_.projection, gemm, {panels.begin, panels.end});
}

const void* SequenceTask::input_at(std::int64_t step) const {
    return layer_.rows.at(
        args_.x, order_[0] * args_.x_batch_stride + rolling_time(step) * args_.x_time_stride);
}

void* SequenceTask::y_at(std::int64_t row, std::int64_t time) const {
    return layer_.rows.at(args_.y, row * args_.y_batch_stride +
                                       layer_.index * args_.y_direction_stride +
                                       time * args_.y_time_stride);
}

// The new H of some blocks, for types that the kernels don't write.
void SequenceTask::store_y(std::int64_t step, Range blocks) {
    const std::int64_t unit = blocks.begin * shape().lanes;
    const std::int64_t units = std::min(blocks.end * shape().lanes, shape().hidden) - unit;
    const std::int64_t first = tile_rows_[step - tile_first_];
    const char* h = h_[(step + 1) % 2] + unit * shape().scalar_bytes;
    for (std::int64_t i = 0; i < active_at(step); ++i) {
        layer_.rows.store(h + state_bytes(i), layer_.rows.at(y_rows_[first + i], unit), units);
    }
}

void SequenceTask::zero_tail(std::int64_t row, std::int64_t length) {
    const std::int64_t start = row * args_.y_batch_stride + layer_.index * args_.y_direction_stride;
    const auto bytes = static_cast<std::size_t>(shape().hidden) * layer_.rows.element_bytes();
    for (std::int64_t time = length; time < args_.time; ++time) {
        std::memset(layer_.rows.at(args_.y, start + time * args_.y_time_stride), 0, bytes);
    }
}

// A row that has ended is not written again: its state stays in the buffer of its last step.
void SequenceTask::finish_row(std::int64_t position) {
    const std::int64_t row = order_[position], length = lengths_[position];
    if (args_.y != nullptr) zero_tail(row, length);
    const std::int64_t at = row * args_.state.batch + layer_.index * args_.state.direction;
    const bool zero = length == 0 && args_.lengths != nullptr;
    store_row(h_[length % 2] + state_bytes(position), args_.ho, at, zero);
    if (layer_.cell->config().kind == CellKind::lstm) {
        store_row(c_ + state_bytes(position), args_.co, at, zero);
    }
}

void SequenceTask::finish() {
    for (std::int64_t i = 0; i < rows_; ++i) finish_row(i);
}

void SequenceTask::run() {
    begin();
    const std::int64_t at_once = rolling() ? steps_ : size_.tile;
    for (std::int64_t first = 0; first < steps_; first += at_once) {
        run_steps(first, std::min(first + at_once, steps_));
    }
    finish();
}

void SequenceTask::run_steps(std::int64_t first, std::int64_t last) {
    const Range all{0, blocks()};
    if (!rolling()) {
        begin_tile(first);
        project(panels_of(all));
    }
    for (std::int64_t s = first; s < last; ++s) {
        for (int phase = 0; phase < cell_phases(); ++phase) step(s, phase, all);
    }
}

}  // namespace rondo::cpu
