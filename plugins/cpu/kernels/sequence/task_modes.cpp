// Runs the tasks of each mode: of one row, whose steps compute products of later inputs; and tiled
// ones, whose inputs are projected a tile of steps at a time.
#include "plugins/cpu/kernels/sequence/task_modes.hpp"

#include <algorithm>

namespace rondo::cpu {

AnyTask::AnyTask(const TaskPlan& plan, const TaskCall& call, void* scratch) {
    switch (plan.mode) {
        case TaskMode::tiled: task_ = &memory_.emplace<TiledTask>(plan, call, scratch); break;
        case TaskMode::look_ahead:
            task_ = &memory_.emplace<LookAheadTask>(plan, call, scratch);
            break;
        case TaskMode::fused_input:
            task_ = &memory_.emplace<FusedInputTask>(plan, call, scratch);
            break;
    }
}

namespace {

// Scratch holds the projected gates of the steps that run and of those that are looked ahead to.
constexpr std::int64_t kPlaces = 2 * kLookAheadSteps;

}  // namespace

std::int64_t LookAheadTask::steps_at_once() const {
    constexpr std::int64_t kSteps = 8 * kLookAheadSteps;
    return kSteps;
}

void LookAheadTask::step(std::int64_t step, int phase, Range blocks, int slice) {
    LookAhead& ahead = at<LookAhead>(plan_.layout.look_ahead)[slice];
    prefetch_state(step, phase, blocks, 1);
    CellStepArgs cell;
    fill_args(cell, step, blocks, step % kPlaces);
    cell.rows = 1;
    void* y = nullptr;
    if (stores_y()) {
        y = rows_.y_at(rows_.row(0), rows_.time_of(0, step));
        cell.y = &y;
    }
    cell.ahead = &ahead;
    if (phase == 0 && step % kLookAheadSteps == 0) prepare(step, blocks, ahead);
    call_.layer.cell->run(phase, cell);
    const bool last = phase + 1 == cell_phases();
    if (last && (step + 1) % kLookAheadSteps == 0) complete(ahead);
}

// Sets what the slice computes during the next steps: the products of the inputs of later steps. If
// these are too few, or no step came before them, they are computed now.
void LookAheadTask::prepare(std::int64_t step, Range blocks, LookAhead& ahead) const {
    const Range panels = panels_of(blocks);
    if (step == 0) project_now(0, panels);
    const std::int64_t next = step + kLookAheadSteps;
    ahead = LookAhead();
    if (next + kLookAheadSteps > steps()) {
        if (next < steps()) project_now(next, panels);
        return;
    }
    const PackedView& projection = call_.weights.projection;
    ahead.panels = projection.panels;
    ahead.bias = projection.bias;
    ahead.k = projection.k;
    ahead.x = input_at(next);
    ahead.x_stride = x_stride() * shape().scalar_bytes;
    ahead.projected = projected_row(next % kPlaces);
    ahead.next = panels.begin;
    ahead.end = panels.end;
    ahead.first_step = next;
}

// The panels that the kernel has not reached.
void LookAheadTask::complete(const LookAhead& ahead) const {
    if (ahead.next < ahead.end) project_now(ahead.first_step, {ahead.next, ahead.end});
}

void LookAheadTask::project_now(std::int64_t first, Range panels) const {
    GemmArgs gemm;
    gemm.m = std::min<std::int64_t>(kLookAheadSteps, steps() - first);
    gemm.a = input_at(first);
    gemm.a_stride = x_stride();
    gemm.c = projected_row(first % kPlaces);
    gemm.c_stride = shape().projected;
    call_.layer.gemm->run_panels(call_.weights.projection, gemm, panels);
}

void TiledTask::begin_tile(std::int64_t first_step) {
    first_ = first_step;
    steps_ = std::min(plan_.tile, steps() - first_step);
    std::int64_t active = rows_.count();
    std::int64_t count = 0;
    for (std::int64_t index = 0; index < steps_; ++index) {
        const std::int64_t step = first_step + index;
        while (active > 0 && rows_.length(active - 1) <= step) --active;
        tile_rows()[index] = count;
        for (std::int64_t i = 0; i < active; ++i, ++count) {
            const std::int64_t time = rows_.time_of(i, step);
            x_rows()[count] = input_row(rows_.row(i), time, count);
            if (call_.args.y != nullptr) y_rows()[count] = rows_.y_at(rows_.row(i), time);
        }
    }
    tile_rows()[steps_] = count;
}

// A row of X, widened into place `place` of the tile where the kernels can't read it as it is.
const void* TiledTask::input_row(std::int64_t row, std::int64_t time, std::int64_t place) const {
    const void* x = rows_.x_at(row, time);
    if (!call_.layer.rows.converts()) return x;
    char* wide = scratch_ + plan_.layout.widened + place * plan_.widened * shape().scalar_bytes;
    call_.layer.rows.load(x, wide, plan_.widened);
    return wide;
}

void TiledTask::project(Range panels) {
    GemmArgs gemm;
    gemm.m = tile_rows()[steps_];
    gemm.a_rows = x_rows();
    gemm.c = projected_row(0);
    gemm.c_stride = shape().projected;
    call_.layer.gemm->run_panels(call_.weights.projection, gemm, panels);
}

Range TiledTask::places_of(std::int64_t step) const {
    const std::int64_t* rows = tile_rows() + (step - first_);
    return {rows[0], rows[1]};
}

void TiledTask::step(std::int64_t step, int phase, Range blocks, int /*slice*/) {
    const Range places = places_of(step);
    prefetch_state(step, phase, blocks, places.size());
    CellStepArgs cell;
    fill_args(cell, step, blocks, places.begin);
    cell.rows = places.size();
    cell.input = input();
    cell.y = stores_y() ? y_rows() + places.begin : nullptr;
    call_.layer.cell->run(phase, cell);
    const bool last = phase + 1 == cell_phases();
    if (last && call_.args.y != nullptr && !stores_y()) store_y(step, blocks, places);
}

// The new H of some blocks, for types that the kernels don't write.
void TiledTask::store_y(std::int64_t step, Range blocks, Range places) const {
    const std::int64_t unit = blocks.begin * shape().lanes;
    const std::int64_t units = std::min(blocks.end * shape().lanes, shape().hidden) - unit;
    const char* h = h_after(step) + unit * shape().scalar_bytes;
    const RowConverter& rows = call_.layer.rows;
    for (std::int64_t i = 0; i < places.size(); ++i) {
        rows.store(h + state_bytes(i), rows.at(y_rows()[places.begin + i], unit), units);
    }
}

FusedInputTask::FusedInputTask(const TaskPlan& plan, const TaskCall& call, void* scratch)
    : TiledTask(plan, call, scratch),
      input_{call.weights.projection.panels, call.weights.projection.bias, x_rows()} {}

}  // namespace rondo::cpu
