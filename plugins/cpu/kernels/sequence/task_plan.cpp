#include "plugins/cpu/kernels/sequence/task_plan.hpp"

#include <algorithm>

#include "plugins/cpu/kernels/machine/machine_costs.hpp"

namespace rondo::cpu {
namespace {

bool outgrows_l3(const SequenceLayer& layer, const CpuFeatures& features) {
    return outgrows_l3(static_cast<double>(packed_layer_bytes(layer)), features);
}

// Look-ahead reads W once in kLookAheadSteps steps, a tile less often. On a Xeon, look-ahead took
// 0.93 to 1.01 of the time of tiles where W and R fit the L2, and 1.05 to 1.2 from four times the
// L2.
constexpr std::int64_t kMaxL2sToLookAhead = 2;

bool fits_near_l2(const SequenceLayer& layer, const CpuFeatures& features) {
    return static_cast<std::int64_t>(packed_layer_bytes(layer)) <=
           kMaxL2sToLookAhead * features.l2_bytes;
}

// Places pieces of scratch memory on cache lines of their own.
class Pieces {
public:
    std::size_t take(std::int64_t count, std::int64_t bytes) {
        const std::size_t piece = used_;
        used_ += whole_lines(static_cast<std::size_t>(count * bytes));
        return piece;
    }
    std::size_t used() const { return used_; }

private:
    std::size_t used_ = 0;
};

void lay_out(const CellShape& shape, TaskPlan& plan) {
    constexpr std::int64_t kPointer = sizeof(void*), kNumber = sizeof(std::int64_t);
    const std::int64_t rows = plan.load.rows, places = plan.tile * rows;
    const std::int64_t scalar = shape.scalar_bytes, state = shape.padded * scalar;
    Pieces pieces;
    TaskLayout& layout = plan.layout;
    layout.h[0] = pieces.take(rows, state);
    layout.h[1] = pieces.take(rows, state);
    layout.c = pieces.take(rows, state);
    layout.update_gate = pieces.take(rows, state);
    layout.reset_hidden = pieces.take(rows, state);
    layout.projected = pieces.take(places, shape.projected * scalar);
    layout.widened = pieces.take(places, plan.widened * scalar);
    layout.x_rows = pieces.take(places, kPointer);
    layout.y_rows = pieces.take(places, kPointer);
    layout.tile_rows = pieces.take(plan.tile + 1, kNumber);
    layout.order = pieces.take(std::max(rows, plan.load.batch), kNumber);
    layout.lengths = pieces.take(rows, kNumber);
    if (plan.mode == TaskMode::look_ahead) {
        layout.look_ahead = pieces.take(kMaxTaskSlices, sizeof(LookAhead));
    }
    plan.bytes = pieces.used();
}

TaskMode mode_of(const SequenceLayer& layer, const TaskLoad& load, const CpuFeatures& features,
                 const TaskLimits& limits) {
    if (load.time == 1 && load.rows <= kMaxFusedRows && can_fuse_input(layer, load.rows)) {
        return TaskMode::fused_input;
    }
    const bool looks = limits.may_look_ahead && can_look_ahead(layer, load.rows, features);
    return looks ? TaskMode::look_ahead : TaskMode::tiled;
}

std::int64_t steps_of_tile(const SequenceLayer& layer, const TaskPlan& plan,
                           const CpuFeatures& features) {
    if (plan.mode == TaskMode::look_ahead) return 2 * kLookAheadSteps;  // read, and being computed
    const CellShape& shape = layer.cell->shape();
    const std::int64_t scalars = plan.load.rows * (shape.projected + plan.widened);
    const std::int64_t step_bytes = std::max<std::int64_t>(1, scalars) * shape.scalar_bytes;
    const std::int64_t fitting = tile_bytes(features, outgrows_l3(layer, features)) / step_bytes;
    return std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(1, plan.load.time));
}

}  // namespace

TaskPlan plan_task(const SequenceLayer& layer, const TaskLoad& load, const CpuFeatures& features,
                   const TaskLimits& limits) {
    TaskPlan plan;
    plan.load = load;
    plan.mode = mode_of(layer, load, features, limits);
    plan.widened = layer.rows.converts() ? layer.cell->config().input_size : 0;
    plan.tile = steps_of_tile(layer, plan, features);
    if (plan.mode != TaskMode::look_ahead) plan.tile = std::min(plan.tile, limits.tile);
    lay_out(layer.cell->shape(), plan);
    return plan;
}

bool can_look_ahead(const SequenceLayer& layer, std::int64_t rows, const CpuFeatures& features) {
    return rows == 1 && can_look_ahead(layer) && fits_near_l2(layer, features) &&
           !outgrows_l3(layer, features);
}

}  // namespace rondo::cpu
