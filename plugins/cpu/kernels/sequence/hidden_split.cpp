#include "plugins/cpu/kernels/sequence/hidden_split.hpp"

namespace rondo::cpu {

HiddenSplit::HiddenSplit(const SequenceTask& task, int slices)
    : slices_(slices),
      cell_phases_(task.cell_phases()),
      tile_phases_(1 + task.tile() * cell_phases_) {
    const std::int64_t tiles = divide_up(task.steps(), task.tile());
    phases_ = tiles == 0 ? 0 : tiles - 1 + task.steps() * cell_phases_;
}

bool HiddenSplit::run(SequenceTask& task, std::int64_t phase, int slice) const {
    if (task.cancelled()) return false;
    const Range blocks = slice_of(task.blocks(), slice, slices_);
    const std::int64_t place = phase + 1;  // as if the first tile had been prepared in a phase too
    const std::int64_t first = place / tile_phases_ * task.tile();
    const std::int64_t index = place % tile_phases_ - 1;
    if (index < 0) {
        if (slice == 0) task.begin_tile(first);
        return true;
    }
    if (index == 0) task.project(task.panels_of(blocks));
    task.step(first + index / cell_phases_, static_cast<int>(index % cell_phases_), blocks, slice);
    return true;
}

}  // namespace rondo::cpu
