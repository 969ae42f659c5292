#include "plugins/cpu/ops/fused_op.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/source_ops.hpp"

namespace rondo::cpu {

bool FusedOp::has_evaluators() const {
    return std::ranges::all_of(parts_, [](const FusedPart& part) {
        return reference::find_evaluator(part.op->op_type()) != nullptr;
    });
}

void FusedOp::evaluate(std::span<const Tensor> inputs, std::span<Tensor> outputs) const {
    std::vector<Tensor> values;
    for (const FusedPart& part : parts_) {
        std::vector<Tensor> read;
        for (const auto& source : part.sources) {
            read.push_back(source.part ? values[source.index] : inputs[source.index]);
        }
        values.push_back(reference::evaluate(*part.op, read).front());
    }
    values.back().copy_to(outputs.front());
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
        InferContext alone(*part.op, std::move(read));
        part.op->infer(alone);
        values.push_back(alone.outputs().front());
    }
    return values;
}

// The parts on inputs of the same shapes and known values, outside of the graph.
std::vector<NodePtr> FusedOp::standing_alone() const {
    std::vector<Output> given;
    for (const Output& source : inputs()) {
        if (Tensor known = rondo::known_value(source)) {
            given.emplace_back(make_node<ops::Constant>(std::move(known)));
        } else {
            given.emplace_back(make_node<ops::Parameter>(source.element_type(), source.shape()));
        }
    }
    std::vector<NodePtr> made;
    for (const FusedPart& part : parts_) {
        std::vector<Output> read;
        for (const auto& source : part.sources) {
            read.push_back(source.part ? Output(made[source.index]) : given[source.index]);
        }
        made.push_back(part.op->clone_with(std::move(read)));
    }
    return made;
}

// From the last part up: where two of its readers want different rows of a value, there are none.
std::optional<IndependentAxis> FusedOp::independent_axis(std::size_t, std::size_t axis) const {
    const std::vector<NodePtr> made = standing_alone();
    IndependentAxis rows(input_count(), 1, axis);
    std::vector<std::optional<std::size_t>> of_inputs(input_count());
    std::vector<std::optional<std::size_t>> of_parts(parts_.size());
    of_parts.back() = axis;
    for (std::size_t i = parts_.size(); i-- > 0;) {
        if (!of_parts[i]) continue;
        IndependentAxis own(parts_[i].sources.size(), 1, *of_parts[i]);  // all as a whole
        if (*of_parts[i] != IndependentAxis::kWhole) {
            const auto known = made[i]->independent_axis(0, *of_parts[i]);
            if (!known) return std::nullopt;
            own = *known;
        }
        rows.broadcasts = rows.broadcasts || own.broadcasts;
        for (std::size_t k = 0; k < own.inputs.size(); ++k) {
            const auto& source = parts_[i].sources[k];
            auto& wanted = (source.part ? of_parts : of_inputs)[source.index];
            if (wanted && *wanted != own.inputs[k]) return std::nullopt;
            wanted = own.inputs[k];
        }
    }
    for (std::size_t i = 0; i < of_inputs.size(); ++i) {
        rows.inputs[i] = of_inputs[i].value_or(IndependentAxis::kWhole);
    }
    return rows;
}

}  // namespace rondo::cpu
