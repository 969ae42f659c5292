#include "plugins/cpu/plugin/plan/shape_walk.hpp"

#include "core/graph/infer_context.hpp"
#include "core/ops/reference/evaluate.hpp"
#include "core/ops/source/parameter.hpp"
#include "core/ops/state/variables.hpp"
#include "core/support/check.hpp"
#include "plugins/cpu/ops/fused_op.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

// Shape arithmetic and initial states are small; larger values are left to the run.
constexpr std::size_t kLargestKnownValue = 1 << 22;

class Walker {
public:
    Walker(const Program& program, const PlanKey& key) : program_(program), key_(key) {
        walk_.values.resize(program.constants.size());
        walk_.known_steps.resize(program.steps.size());
        for (std::size_t i = 0; i < program.constants.size(); ++i) {
            const Tensor& constant = program.constants[i];
            if (!constant) continue;
            walk_.values[i] = {constant.element_type(), constant.shape(), constant, true};
        }
        for (std::size_t i = 0; i < key.inputs.size(); ++i) {
            const auto parameter = as<ops::Parameter>(program.graph->parameters()[i]);
            walk_.values[program.parameters[i]] = {
                parameter->element_type(), key.inputs[i], {}, true};
        }
    }

    ShapeWalk take() {
        for (std::size_t i = 0; i < program_.steps.size() && walk_.complete; ++i) {
            if (program_.steps[i].variable) {
                visit_variable(i);
            } else {
                visit(i);
            }
        }
        return std::move(walk_);
    }

private:
    void visit(std::size_t index) {
        const Step& step = program_.steps[index];
        std::vector<const TensorInfo*> inputs;
        for (const ValueId id : step.inputs) inputs.push_back(&walk_.values[id]);
        auto outputs = infer_node(step.node(), inputs);
        if (!outputs) {
            walk_.complete = false;
            return;
        }
        walk_.known_steps[index] = try_to_evaluate(step.node(), inputs, *outputs);
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            walk_.values[step.outputs[i]] = std::move((*outputs)[i]);
        }
    }

    // A variable's elements change from run to run; those of its init input may be known.
    void visit_variable(std::size_t index) {
        const Step& step = program_.steps[index];
        TensorInfo& output = walk_.values[step.outputs[0]];
        if (const auto& shape = key_.variables[*step.variable]) {
            output = {step.node().output_type(0), *shape, {}, true};
            return;
        }
        output = walk_.values[step.inputs.at(0)];
        ops::check_init(step.node(), output.shape);
        walk_.known_steps[index] = static_cast<bool>(output.value);
    }

    static bool try_to_evaluate(const Node& node, const std::vector<const TensorInfo*>& inputs,
                                std::vector<TensorInfo>& outputs) {
        const bool from_shape = node.type_name() == "ShapeOf";
        std::size_t bytes = 0;
        for (const auto& output : outputs) {
            bytes += element_count(output.shape) * size_of(output.type);
        }
        if (bytes > kLargestKnownValue) return false;
        std::vector<Tensor> values;
        for (const auto* input : inputs) {
            if (!input->value && !from_shape) return false;
            values.push_back(input->value ? input->value : stand_in(*input));
        }
        std::vector<Tensor> results;
        for (const auto& output : outputs) results.emplace_back(output.type, output.shape);
        if (!evaluate(node, values, results)) return false;
        for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].value = results[i];
        return true;
    }

    // False where the op has no evaluator.
    static bool evaluate(const Node& node, std::span<const Tensor> values,
                         std::span<Tensor> results) {
        if (const auto* fused = dynamic_cast<const FusedOp*>(&node)) {
            return fused->evaluate(values, results);
        }
        const auto evaluator = reference::find_evaluator(node.op_type());
        if (evaluator != nullptr) evaluator(node, values, results);
        return evaluator != nullptr;
    }

    // ShapeOf looks at its input's shape only; the elements are never read.
    static Tensor stand_in(const TensorInfo& input) {
        static char nowhere = 0;
        return Tensor(input.type, input.shape, static_cast<void*>(&nowhere));
    }

    const Program& program_;
    const PlanKey& key_;
    ShapeWalk walk_;
};

}  // namespace

std::optional<std::vector<TensorInfo>> infer_node(const Node& node,
                                                  std::span<const TensorInfo* const> inputs) {
    std::vector<InferInput> seen;
    for (const auto* input : inputs) seen.push_back({input->type, input->shape, input->value});
    InferContext context(node.name(), node.type_name(), std::move(seen));
    node.infer(context);
    internal_check(context.outputs().size() >= node.output_count(), "an output wasn't inferred");
    std::vector<TensorInfo> outputs;
    for (const auto& output : context.outputs()) {
        if (!output.shape.is_static() || output.type == ElementType::dynamic) return std::nullopt;
        outputs.push_back({output.type, output.shape.to_shape(), {}, true});
    }
    return outputs;
}

ShapeWalk walk_shapes(const Program& program, const PlanKey& key) {
    return Walker(program, key).take();
}

}  // namespace rondo::cpu
