#include "plugins/cpu/ops/fused_op.hpp"

#include <algorithm>
#include <string>

#include "core/ops/reference/evaluate.hpp"

namespace rondo::cpu {

bool FusedOp::evaluate(std::span<const Tensor> inputs, std::span<Tensor> outputs) const {
    if (std::any_of(parts_.begin(), parts_.end(), [](const FusedPart& part) {
            return reference::find_evaluator(part.op->op_type()) == nullptr;
        })) {
        return false;
    }
    std::vector<Tensor> values;
    for (const FusedPart& part : parts_) {
        std::vector<Tensor> read;
        for (const auto& source : part.sources) {
            read.push_back(source.part ? values[source.index] : inputs[source.index]);
        }
        values.push_back(reference::evaluate(*part.op, read).front());
    }
    values.back().copy_to(outputs.front());
    return true;
}

Output FusedOp::expanded() const {
    std::vector<NodePtr> made;
    for (const FusedPart& part : parts_) {
        std::vector<Output> read;
        for (const auto& source : part.sources) {
            read.push_back(source.part ? Output(made[source.index]) : input(source.index));
        }
        made.push_back(part.op->clone_with(std::move(read)));
    }
    return made.back();
}

void FusedOp::infer(InferContext& context) const {
    const InferOutput last = infer_parts(context).back();
    context.set_output(0, last.type, last.shape);
}

std::vector<InferOutput> FusedOp::infer_parts(const InferContext& context) const {
    std::vector<InferOutput> values;
    for (const FusedPart& part : parts_) {
        std::vector<InferInput> read;
        for (const auto& [is_part, index] : part.sources) {
            if (is_part) {
                read.push_back({values[index].type, values[index].shape, {}});
            } else {
                read.push_back({context.type(index), context.shape(index), context.value(index)});
            }
        }
        InferContext alone(part.op->name(), part.op->type_name(), std::move(read));
        part.op->infer(alone);
        values.push_back(alone.outputs().front());
    }
    return values;
}

}  // namespace rondo::cpu
