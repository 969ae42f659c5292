#include "tests/random/minimise/iteration.hpp"

namespace rondo::test {

using rondo_onnx::AttributeProto;
using rondo_onnx::NodeProto;

bool is_iterated(const NodeProto& node) {
    return node.op_type() == "Loop" || node.op_type() == "Scan";
}

Iteration iteration_of(const NodeProto& node) {
    Iteration iteration;
    if (node.op_type() == "Loop") {
        iteration.first_input = 2;
        iteration.first_result = 1;
    }
    for (const auto& attribute : node.attribute()) {
        const bool is_count = attribute.name() == "num_scan_inputs";
        if (is_count) iteration.walked = static_cast<int>(attribute.i());
    }
    iteration.states = node.input_size() - iteration.first_input - iteration.walked;
    iteration.joined = node.output_size() - iteration.states;
    return iteration;
}

AttributeProto* find_attribute(NodeProto& node, const std::string& name) {
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.name() == name) return &attribute;
    }
    return nullptr;
}

std::int64_t number_at(NodeProto& node, const std::string& name, int at) {
    const AttributeProto* attribute = find_attribute(node, name);
    return attribute != nullptr && at < attribute->ints_size() ? attribute->ints(at) : 0;
}

}  // namespace rondo::test
