#include "plugins/cpu/nodes/common/cpu_node.hpp"

#include "core/support/errors.hpp"

namespace rondo::cpu {

InferredNode CpuNode::infer(std::span<const TensorInfo* const> inputs) const {
    InferContext context = context_of(node_, inputs);
    node_.check_and_infer(context);
    internal_check(context.outputs().size() >= node_.output_count(), "an output wasn't inferred");
    InferredNode inferred{{}, context.missing_values()};
    std::vector<TensorInfo> outputs;
    outputs.reserve(context.outputs().size());
    inferred.types.reserve(context.outputs().size());
    for (const auto& output : context.outputs()) inferred.types.push_back(output.type);
    for (const auto& output : context.outputs()) {
        if (!output.shape.is_static() || output.type == ElementType::dynamic) return inferred;
        outputs.push_back({output.type, output.shape.to_shape(), {}, true});
    }
    inferred.outputs = std::move(outputs);
    return inferred;
}

bool all_f32(const Node& node, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        if (node.input(i).element_type() != ElementType::f32) return false;
    }
    return node.output_type(0) == ElementType::f32;
}

InferContext context_of(const Node& node, std::span<const TensorInfo* const> inputs) {
    std::vector<InferInput> seen;
    seen.reserve(inputs.size());
    for (const auto* input : inputs) seen.push_back({input->type, input->shape, input->value});
    return InferContext(node, std::move(seen));
}

InferContext context_of(const Node& node, const CallSite& site) {
    std::vector<const TensorInfo*> inputs;
    inputs.reserve(site.inputs.size());
    for (const auto& input : site.inputs) inputs.push_back(&input);
    return context_of(node, inputs);
}

std::string kernel_suffix(Isa isa, ElementType type) {
    return std::string(name_of(isa)) + "_" + std::string(to_string(type));
}

std::string f32_kernel_name(std::string_view operation, Isa isa) {
    return std::string(operation) + "_" + kernel_suffix(isa, ElementType::f32);
}

}  // namespace rondo::cpu
