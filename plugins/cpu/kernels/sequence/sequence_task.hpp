// Some rows of one direction of a layer, run over a whole sequence in scratch memory.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "plugins/cpu/kernels/sequence/task_plan.hpp"
#include "plugins/cpu/kernels/sequence/task_rows.hpp"

namespace rondo::cpu {

/// Call order: begin(); for each tile: begin_tile(), project() for all panels, then step() for each
/// of its steps, phases in order, all blocks; finish(). Calls between two of these points may run
/// on several threads. A class for each TaskMode.
///
/// Where SequenceArgs::cancelled is set, run() and finish() return at once, with outputs undefined;
/// the caller of the parts checks cancelled().
class SequenceTask {
public:
    virtual ~SequenceTask() = default;
    SequenceTask(const SequenceTask&) = delete;
    SequenceTask& operator=(const SequenceTask&) = delete;

    void begin();
    std::int64_t steps() const { return rows_.steps(); }  ///< of the longest row
    /// Steps of a tile for callers: the plan's, or all where steps don't come in tiles.
    virtual std::int64_t tile() const = 0;
    std::int64_t blocks() const { return shape().blocks; }
    /// Those of a slice; whole spans of block-sparse weights where there are enough.
    Range blocks_of(int slice, int slices) const;
    int cell_phases() const { return call_.layer.cell->phases(); }
    /// The panels of the projected gates of these blocks.
    Range panels_of(Range blocks) const;

    virtual void begin_tile(std::int64_t first_step) = 0;
    virtual void project(Range panels) = 0;
    /// `slice`: which of the slices of blocks this is, below kMaxTaskSlices; the same for all
    /// steps.
    virtual void step(std::int64_t step, int phase, Range blocks, int slice = 0) = 0;
    void finish();

    /// Steps [first, last) of one tile, on the calling thread. A task that looks ahead takes any.
    void run_steps(std::int64_t first, std::int64_t last);
    /// Everything, on the calling thread.
    void run();

    bool cancelled() const { return is_cancelled(call_.args); }

protected:
    SequenceTask(const TaskPlan& plan, const TaskCall& call, void* scratch);

    /// How many steps run() takes before it asks cancelled().
    virtual std::int64_t steps_at_once() const { return tile(); }

    /// Fills in what steps of all modes have in common. `place`: of the step's first row in the
    /// projected gates. In place and inline: a step may take less than 200 ns.
    void fill_args(CellStepArgs& cell, std::int64_t step, Range blocks, std::int64_t place) const {
        cell.block_begin = blocks.begin;
        cell.block_end = blocks.end;
        cell.backward = step % 2 != 0;
        cell.weights = &call_.weights.cell;
        cell.projected = projected_row(place);
        cell.h_prev = h_after(step - 1);
        cell.h_next = h_after(step);
        cell.c = scratch_ + plan_.layout.c;
        cell.update_gate = scratch_ + plan_.layout.update_gate;
        cell.reset_hidden = scratch_ + plan_.layout.reset_hidden;
    }
    /// Asks for the lines of state that other cores have just written, all before the first is
    /// needed.
    void prefetch_state(std::int64_t step, int phase, Range own, std::int64_t rows) const {
        if (own.size() != blocks()) prefetch_lines(step, phase, own, rows);
    }
    /// Where the kernels write Y themselves.
    bool stores_y() const { return call_.args.y != nullptr && !call_.layer.rows.converts(); }

    const CellShape& shape() const { return call_.layer.cell->shape(); }
    std::int64_t state_bytes(std::int64_t rows) const {
        return rows * shape().padded * shape().scalar_bytes;
    }
    template <typename T>
    T* at(std::size_t offset) const {
        return reinterpret_cast<T*>(scratch_ + offset);
    }
    char* h_after(std::int64_t step) const { return scratch_ + plan_.layout.h[(step + 1) % 2]; }
    char* projected_row(std::int64_t place) const {
        return scratch_ + plan_.layout.projected + place * shape().projected * shape().scalar_bytes;
    }

    const TaskPlan& plan_;
    const TaskCall call_;
    char* const scratch_;
    const TaskRows rows_;

private:
    void prefetch_lines(std::int64_t step, int phase, Range own, std::int64_t rows) const;
};

}  // namespace rondo::cpu
