#include "plugins/cpu/nodes/common/cpu_node.hpp"

namespace rondo::cpu {

bool all_f32(const Node& node, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        if (node.input(i).element_type() != ElementType::f32) return false;
    }
    return node.output_type(0) == ElementType::f32;
}

InferContext context_of(const Node& node, const CallSite& site) {
    std::vector<InferInput> inputs;
    for (const auto& input : site.inputs) inputs.push_back({input.type, input.shape, input.value});
    return InferContext(node.name(), node.type_name(), std::move(inputs));
}

std::string kernel_suffix(Isa isa, ElementType type) {
    return std::string(name_of(isa)) + "_" + std::string(to_string(type));
}

std::string f32_kernel_name(std::string_view operation, Isa isa) {
    return std::string(operation) + "_" + kernel_suffix(isa, ElementType::f32);
}

}  // namespace rondo::cpu
