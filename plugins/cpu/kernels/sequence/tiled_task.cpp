// Tasks whose inputs are projected a tile of steps at a time.
#include <algorithm>

#include "plugins/cpu/kernels/sequence/task_modes.hpp"

namespace rondo::cpu {

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
