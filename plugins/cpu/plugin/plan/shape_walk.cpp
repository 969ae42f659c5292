#include "plugins/cpu/plugin/plan/shape_walk.hpp"

#include <algorithm>

#include "core/graph/reloadable_tensor.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/ops/state/variables.hpp"
#include "plugins/cpu/plugin/plan/program.hpp"
#include "rondo/error.hpp"

namespace rondo::cpu {
namespace {

class Walker {
public:
    Walker(const Program& program, const PlanKey& key) : program_(program), key_(key) {
        walk_.values.resize(program.constants.size());
        walk_.shaped.resize(program.constants.size());
        walk_.floating.resize(program.constants.size());
        walk_.steps.resize(program.steps.size(), StepShapes::open);
        for (std::size_t i = 0; i < program.constants.size(); ++i) {
            const Tensor& constant = program.constants[i];
            if (!constant) continue;
            const bool packed = is_released(constant);
            set(i, {constant.element_type(), constant.shape(), packed ? Tensor() : constant, true,
                    packed});
        }
    }

    ShapeWalk take() {
        if (key_.before) {
            take_over(key_.before->end);
        } else {
            take_inputs();
        }
        for (std::size_t i = 0; i < program_.steps.size(); ++i) {
            const Step& step = program_.steps[i];
            if (walk_.steps[i] != StepShapes::open) continue;
            if (step.variable && key_.variables[*step.variable]) {
                set(step.outputs[0],
                    {step.node().output_type(0), *key_.variables[*step.variable], {}, true});
                walk_.steps[i] = StepShapes::shaped;
                continue;
            }
            const bool floats =
                std::any_of(step.inputs.begin(), step.inputs.end(),
                            [&](ValueId id) { return walk_.floating[id].has_value(); });
            const bool ready = std::all_of(step.inputs.begin(), step.inputs.end(),
                                           [&](ValueId id) { return walk_.shaped[id]; });
            if (floats) visit_floating(i);
            if (ready) visit(i);
        }
        return std::move(walk_);
    }

private:
    void set(ValueId id, TensorInfo info) {
        walk_.values[id] = std::move(info);
        walk_.shaped[id] = true;
    }

    void take_inputs() {
        for (std::size_t i = 0; i < key_.inputs.size(); ++i) {
            const auto parameter = as<ops::Parameter>(program_.graph->parameters()[i]);
            const PlanInput& input = key_.inputs[i];
            const bool is_given = input.type != ElementType::dynamic;
            const ElementType type = is_given ? input.type : parameter->element_type();
            if (input.form) {
                walk_.floating[program_.parameters[i]] = {type, *input.form};
                continue;
            }
            set(program_.parameters[i], {type, input.shape, input.value, true});
        }
    }

    void take_over(const SegmentBoundary& end) {
        for (std::size_t i = 0; i < walk_.steps.size(); ++i) {
            if (end.settled_steps[i]) walk_.steps[i] = StepShapes::settled;
        }
        take_over_extents(end);
        take_over_found(end);
        for (const CarriedValue& carried : end.values) set(carried.value, carried.info);
        for (std::size_t i = 0; i < end.reads.size(); ++i) {
            walk_.values[end.reads[i].value].value = key_.values[i];
        }
    }

    void take_over_extents(const SegmentBoundary& end) {
        auto extents = key_.extents.begin();
        for (const ExtentStep& found : end.extent_steps) {
            const Step& step = program_.steps[found.step];
            walk_.steps[found.step] = StepShapes::shaped;
            for (std::size_t i = 0; i < step.outputs.size(); ++i) {
                set(step.outputs[i], {found.types[i], *extents++, {}, true});
            }
        }
    }

    void take_over_found(const SegmentBoundary& end) {
        auto found = key_.found.begin();
        for (const DynamicStep& late : end.dynamic_steps) {
            const Step& step = program_.steps[late.step];
            for (std::size_t i = 0; i < step.outputs.size(); ++i) {
                set(step.outputs[i], {step.node().output_type(i), *found++, {}, true});
            }
        }
    }

    void visit(std::size_t index) {
        const Step& step = program_.steps[index];
        std::vector<const TensorInfo*> inputs;
        for (const ValueId id : step.inputs) inputs.push_back(&walk_.values[id]);
        if (step.variable) return start_variable(index, *inputs.at(0));
        auto inferred = step.kernel->infer(inputs);
        if (!inferred.outputs && key_.floats) return visit_floating(index);
        if (!inferred.outputs) return leave_open(index, inputs, inferred);
        const bool known = find_values(step, inputs, *inferred.outputs);
        walk_.steps[index] = known ? StepShapes::known : StepShapes::shaped;
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            set(step.outputs[i], std::move((*inferred.outputs)[i]));
        }
    }

    // Open shapes go through the op as they do in the graph.
    void visit_floating(std::size_t index) {
        const Step& step = program_.steps[index];
        std::vector<InferInput> inputs;
        for (const ValueId id : step.inputs) {
            const TensorInfo& info = walk_.values[id];
            const auto& form = walk_.floating[id];
            inputs.push_back(form ? InferInput{form->type, form->shape, {}}
                                  : InferInput{info.type, info.shape, info.value});
        }
        const Node& node = step.node();
        InferContext context(node.name(), node.type_name(), std::move(inputs));
        node.check_and_infer(context);
        walk_.steps[index] = StepShapes::floating;
        for (std::size_t i = 0; i < step.outputs.size(); ++i) {
            const InferOutput& output = context.outputs().at(i);
            if (output.shape.is_static() && output.type != ElementType::dynamic) {
                set(step.outputs[i], {output.type, output.shape.to_shape(), {}, true});
            } else {
                walk_.floating[step.outputs[i]] = {output.type, output.shape};
            }
        }
    }

    void leave_open(std::size_t index, std::span<const TensorInfo* const> inputs,
                    InferredNode& inferred) {
        const Step& step = program_.steps[index];
        if (inferred.missing.empty()) {
            if (step.kernel->finds_shapes()) walk_.steps[index] = StepShapes::late;
            return;
        }
        const bool typed = std::find(inferred.types.begin(), inferred.types.end(),
                                     ElementType::dynamic) == inferred.types.end();
        if (auto finder = typed ? step.kernel->make_extent_finder(inputs) : ExtentFinder()) {
            walk_.extents.push_back({index, std::move(finder), std::move(inferred.types)});
            return;
        }
        for (const std::size_t input : inferred.missing) {
            walk_.missing.push_back({index, step.inputs[input]});
        }
    }

    // The elements of its init input may be known.
    void start_variable(std::size_t index, const TensorInfo& init) {
        const Step& step = program_.steps[index];
        ops::check_init(step.node(), init.shape);
        walk_.steps[index] = init.value ? StepShapes::known : StepShapes::shaped;
        set(step.outputs[0], TensorInfo(init));
    }

    const Program& program_;
    const PlanKey& key_;
    ShapeWalk walk_;
};

}  // namespace

ShapeWalk walk_shapes(const Program& program, const PlanKey& key) {
    return Walker(program, key).take();
}

}  // namespace rondo::cpu
