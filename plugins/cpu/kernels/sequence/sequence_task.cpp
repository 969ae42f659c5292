#include "plugins/cpu/kernels/sequence/sequence_task.hpp"

#include <algorithm>

namespace rondo::cpu {

SequenceTask::SequenceTask(const TaskPlan& plan, const TaskCall& call, void* scratch)
    : plan_(plan),
      call_(call),
      scratch_(static_cast<char*>(scratch)),
      rows_(plan, call, scratch_) {}

void SequenceTask::begin() {
    rows_.load_states(scratch_ + plan_.layout.h[0], scratch_ + plan_.layout.c);
}

Range SequenceTask::blocks_of(int slice, int slices) const {
    const std::int64_t span = call_.layer.sparse == nullptr ? 1 : kSparseSpan / shape().lanes;
    const std::int64_t spans = divide_up(blocks(), span);
    if (spans < slices) return slice_of(blocks(), slice, slices);
    const Range own = slice_of(spans, slice, slices);
    return {std::min(blocks(), own.begin * span), std::min(blocks(), own.end * span)};
}

Range SequenceTask::panels_of(Range blocks) const {
    return {blocks.begin * shape().gates, blocks.end * shape().gates};
}

void SequenceTask::prefetch_lines(std::int64_t step, int phase, Range own,
                                  std::int64_t rows) const {
    const char* state = phase == 0 ? h_after(step - 1) : scratch_ + plan_.layout.reset_hidden;
    const std::int64_t block_bytes = shape().lanes * shape().scalar_bytes;
    for (std::int64_t row = 0; row < rows; ++row, state += state_bytes(1)) {
        for (std::int64_t block = 0; block < blocks(); ++block) {
            if (block >= own.begin && block < own.end) continue;
            __builtin_prefetch(state + block * block_bytes);
        }
    }
}

void SequenceTask::finish() {
    if (cancelled()) return;
    char* const h[2] = {scratch_ + plan_.layout.h[0], scratch_ + plan_.layout.h[1]};
    rows_.finish(h, scratch_ + plan_.layout.c);
}

void SequenceTask::run() {
    begin();
    for (std::int64_t first = 0; first < steps() && !cancelled(); first += steps_at_once()) {
        run_steps(first, std::min(first + steps_at_once(), steps()));
    }
    finish();
}

void SequenceTask::run_steps(std::int64_t first, std::int64_t last) {
    const Range all{0, blocks()};
    begin_tile(first);
    project(panels_of(all));
    for (std::int64_t s = first; s < last; ++s) {
        for (int phase = 0; phase < cell_phases(); ++phase) step(s, phase, all);
    }
}

}  // namespace rondo::cpu
