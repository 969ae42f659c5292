// Some rows of one direction of a layer, run over a whole sequence in scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plugins/cpu/kernels/sequence/sequence_layer.hpp"

namespace rondo::cpu {

/// What a task is to run.
struct TaskLoad {
    std::int64_t rows = 0;   ///< at most
    std::int64_t batch = 0;  ///< N, of which the rows are a share
    std::int64_t time = 0;   ///< T
};

/// Sizes that a task's scratch memory follows from.
struct TaskSize {
    TaskLoad load;
    std::int64_t tile = 0;     ///< time steps whose input is projected at once
    std::int64_t widened = 0;  ///< I where X is widened into scratch, else 0
    bool rolling = false;      ///< one row, and the cell projects later inputs on the side
    bool joint = false;        ///< one step, which projects its inputs itself
};

/// Joint where one step has few rows, else rolling where it can be and `may_roll`, else with a tile
/// of all steps or of as many as keep the projected gates of all rows within tile_bytes().
TaskSize task_size(const SequenceLayer& layer, const TaskLoad& load, const CpuFeatures& features,
                   bool may_roll = true);

/// Whether tasks of that many rows can roll.
bool can_roll(const SequenceLayer& layer, std::int64_t rows, const CpuFeatures& features);

/// Bytes of scratch for a task; a multiple of a cache line.
std::size_t task_scratch_bytes(const CellShape& shape, const TaskSize& size);

/// Slice `index` of `count` of a batch: neighbours, or where rows have lengths every count-th in
/// their order, so that slices take about the same time.
struct RowShare {
    std::int64_t index = 0;
    std::int64_t count = 1;
};

/// Call order: begin(); for each tile: begin_tile(), project() for all panels, then step() for each
/// of its steps, phases in order, all blocks; finish(). Calls between two of these points may run
/// on several threads. Rows are sorted by falling length, so that those still running are a prefix.
///
/// In a joint task project() has nothing to do.
///
/// A rolling task has no tiles: between begin() and finish() there are steps alone. The inputs of
/// the next kLookAheadSteps steps are projected on the side of these; each slice of blocks does its
/// share.
class SequenceTask {
public:
    static constexpr int kMaxSlices = 64;  ///< no fewer than PhaseGang's

    /// A share of the rows of `args`. `scratch`: task_scratch_bytes() on a 64-byte boundary.
    SequenceTask(const SequenceLayer& layer, const PackedLayer& weights, const SequenceArgs& args,
                 const RowShare& share, const TaskSize& size, void* scratch);

    void begin();
    std::int64_t steps() const { return steps_; }  ///< of the longest row; after begin()
    std::int64_t tile() const { return size_.tile; }
    std::int64_t blocks() const { return shape().blocks; }
    int cell_phases() const { return layer_.cell->phases(); }
    /// Of the projected gates of these blocks.
    Range panels_of(Range blocks) const;
    void begin_tile(std::int64_t first_step);
    void project(Range panels);
    bool rolling() const { return size_.rolling; }
    /// `slice`: which of the slices of blocks this is, below kMaxSlices; the same for all steps.
    void step(std::int64_t step, int phase, Range blocks, int slice = 0);
    /// Steps [first, last), those of one tile or, of a rolling task, any, on the calling thread.
    void run_steps(std::int64_t first, std::int64_t last);
    void finish();

    /// Everything, on the calling thread.
    void run();

private:
    std::int64_t length_of(std::int64_t row) const;
    void choose_rows();
    void load_state();
    void load_row(const void* tensor, std::int64_t at, char* to) const;
    void store_row(const char* from, void* tensor, std::int64_t at, bool zero) const;
    CellStepArgs step_args(std::int64_t step, Range blocks) const;
    void roll_before(std::int64_t step, Range blocks, LookAhead& side);
    void roll_after(const LookAhead& side);
    void project_now(std::int64_t first, Range panels);
    std::int64_t rolling_time(std::int64_t step) const {
        return layer_.reverse ? steps_ - 1 - step : step;
    }
    const void* input_at(std::int64_t step) const;
    void* y_at(std::int64_t row, std::int64_t time) const;
    char* projected_row(std::int64_t row) const {
        return projected_ + row * shape().projected * shape().scalar_bytes;
    }
    const void* input_row(std::int64_t row, std::int64_t time, std::int64_t place);
    void fetch_state(std::int64_t step, int phase, Range own, std::int64_t rows) const;
    void store_y(std::int64_t step, Range blocks);
    void finish_row(std::int64_t position);
    void zero_tail(std::int64_t row, std::int64_t length);
    std::int64_t active_at(std::int64_t step) const;
    const CellShape& shape() const { return layer_.cell->shape(); }
    std::int64_t state_bytes(std::int64_t row) const {
        return row * shape().padded * shape().scalar_bytes;
    }

    const SequenceLayer& layer_;
    const PackedLayer& weights_;
    const SequenceArgs& args_;
    TaskSize size_;
    RowShare share_;
    std::int64_t rows_ = 0;
    std::int64_t steps_ = 0;

    // In scratch memory; those of char hold scalars.
    char* h_[2];  // state after even and odd steps
    char* c_;
    char* update_gate_;
    char* reset_hidden_;
    char* projected_;
    char* widened_;            // [tile][active rows][I] where X is widened
    const void** x_rows_;      // [tile][active rows]
    void** y_rows_;            // the same
    std::int64_t* tile_rows_;  // where a step of the tile starts in the three above
    std::int64_t* order_;      // [rows]: row of args at each position; room for [batch]
    std::int64_t* lengths_;    // [rows]: falling
    LookAhead* sides_;    // [kMaxSlices] of a rolling task
    FusedInput inputs_;        // of a joint task

    std::int64_t tile_first_ = 0;
    std::int64_t tile_steps_ = 0;
};

}  // namespace rondo::cpu
