// Makes the task of the mode that a plan says.
#include "plugins/cpu/kernels/sequence/task_modes.hpp"

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

}  // namespace rondo::cpu
