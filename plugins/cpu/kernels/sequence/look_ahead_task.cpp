// Tasks of one row whose steps compute the products of later inputs.
#include <algorithm>

#include "plugins/cpu/kernels/sequence/task_modes.hpp"

namespace rondo::cpu {
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

// What the slice computes during the next steps: the products of the inputs behind them. Where
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

}  // namespace rondo::cpu
