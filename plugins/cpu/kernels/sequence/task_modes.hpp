// The three kinds of tasks, one for each TaskMode.
#pragma once

#include <cstdint>
#include <variant>

#include "plugins/cpu/kernels/sequence/sequence_task.hpp"

namespace rondo::cpu {

/// The inputs of a tile of steps are projected at once, by a product of matrices.
class TiledTask : public SequenceTask {
public:
    TiledTask(const TaskPlan& plan, const TaskCall& call, void* scratch)
        : SequenceTask(plan, call, scratch) {}

    std::int64_t tile() const final { return plan_.tile; }
    void begin_tile(std::int64_t first_step) override;
    void project(Range panels) override;
    void step(std::int64_t step, int phase, Range blocks, int slice = 0) final;

protected:
    const void** x_rows() const { return at<const void*>(plan_.layout.x_rows); }
    /// The fused input of every step; null = none.
    virtual const FusedInput* input() const { return nullptr; }

private:
    const void* input_row(std::int64_t row, std::int64_t time, std::int64_t place) const;
    void store_y(std::int64_t step, Range blocks, Range places) const;
    Range places_of(std::int64_t step) const;
    void** y_rows() const { return at<void*>(plan_.layout.y_rows); }
    std::int64_t* tile_rows() const { return at<std::int64_t>(plan_.layout.tile_rows); }

    std::int64_t first_ = 0;  // step of the tile
    std::int64_t steps_ = 0;  // of the tile
};

/// One step that multiplies its inputs itself: project() has nothing to do.
class FusedInputTask final : public TiledTask {
public:
    FusedInputTask(const TaskPlan& plan, const TaskCall& call, void* scratch);

    void project(Range) override {}

private:
    const FusedInput* input() const override { return &input_; }

    FusedInput input_;
};

/// One row. Every kLookAheadSteps steps compute the products of the inputs of as many later steps;
/// each slice of blocks computes its own part. There are no tiles: begin_tile() and project() have
/// nothing to do.
class LookAheadTask final : public SequenceTask {
public:
    LookAheadTask(const TaskPlan& plan, const TaskCall& call, void* scratch)
        : SequenceTask(plan, call, scratch) {}

    std::int64_t tile() const override { return std::max<std::int64_t>(1, steps()); }
    void begin_tile(std::int64_t) override {}
    void project(Range) override {}
    void step(std::int64_t step, int phase, Range blocks, int slice = 0) override;

private:
    std::int64_t steps_at_once() const override;
    void prepare(std::int64_t step, Range blocks, LookAhead& ahead) const;
    void complete(const LookAhead& ahead) const;
    void project_now(std::int64_t first, Range panels) const;
    const void* input_at(std::int64_t step) const {
        return rows_.x_at(rows_.row(0), rows_.time_of(0, step));
    }
    std::int64_t x_stride() const {
        const std::int64_t stride = call_.args.x_time_stride;
        return call_.layer.reverse ? -stride : stride;
    }
};

/// A task of the mode that a plan says, in place.
class AnyTask {
public:
    AnyTask(const TaskPlan& plan, const TaskCall& call, void* scratch);

    SequenceTask& operator*() { return *task_; }
    SequenceTask* operator->() { return task_; }

private:
    std::variant<std::monostate, TiledTask, LookAheadTask, FusedInputTask> memory_;
    SequenceTask* task_ = nullptr;
};

}  // namespace rondo::cpu
