// The phases of a layer whose steps are split: what slice k of n does in phase p.
#pragma once

#include <cstdint>

#include "plugins/cpu/kernels/sequence/sequence_task.hpp"

namespace rondo::cpu {

/// A slice keeps its hidden blocks, and so its weights, for all steps. Phases of a tile of steps:
/// preparing it (one slice; the caller prepares the first tile), then those of its steps. The first
/// of these also projects the slice's part of the tile's inputs, which only this slice reads.
class HiddenSplit {
public:
    /// For a task that has begun.
    HiddenSplit(const SequenceTask& task, int slices);

    std::int64_t phases() const { return phases_; }

    /// `task`: the one that this was made for, on its first tile before phase 0. False
    /// where the call is cancelled.
    bool run(SequenceTask& task, std::int64_t phase, int slice) const;

private:
    int slices_;
    std::int64_t cell_phases_;
    std::int64_t tile_phases_;  // of a whole tile
    std::int64_t phases_;
};

}  // namespace rondo::cpu
