// Converts If.
#include <algorithm>
#include <optional>
#include <string>

#include "core/ops/control/if.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// A tensor that both branches read is one input.
std::size_t input_of(const Output& value, std::vector<Output>& inputs) {
    const auto at = std::find(inputs.begin() + 1, inputs.end(), value);
    if (at != inputs.end()) return static_cast<std::size_t>(at - inputs.begin());
    inputs.push_back(value);
    return inputs.size() - 1;
}

struct Branch {
    GraphPtr graph;
    ops::BodyPorts ports;
};

Branch read_branch(NodeContext& context, const char* name, std::vector<Output>& inputs) {
    const BodyGraph body = context.read_body(name);
    check_result_count(*body.graph, context.output_count(), context.output_count());
    Branch branch{body.graph, {}};
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        branch.ports.inputs.push_back({input_of(body.captured[i], inputs), i, {}, {}});
    }
    for (std::size_t i = 0; i < body.graph->results().size(); ++i) {
        branch.ports.outputs.push_back({i, i, {}});
    }
    return branch;
}

// Nothing while the condition isn't known.
std::optional<bool> known_condition(const Output& condition) {
    const Tensor known = known_value(condition);
    if (!known || known.size() != 1 || known.element_type() != ElementType::boolean) return {};
    return ops::is_true(known);
}

// Only a branch that may be taken is read: the other one need not suit the shapes.
std::vector<Output> convert_if(NodeContext& context) {
    std::vector<Output> inputs{context.input(0)};
    std::vector<GraphPtr> bodies;
    std::vector<ops::BodyPorts> ports;
    const auto condition = known_condition(inputs[0]);
    for (const bool taken : {true, false}) {
        if (condition && *condition != taken) continue;
        Branch branch = read_branch(context, taken ? "then_branch" : "else_branch", inputs);
        bodies.push_back(std::move(branch.graph));
        ports.push_back(std::move(branch.ports));
    }
    if (condition) {
        const std::string other = *condition ? "else_branch" : "then_branch";
        if (context.attributes().find_graph(other) == nullptr) {
            throw ModelError("attribute '" + other + "' is missing");
        }
        bodies.push_back(bodies[0]->clone());
        ports.push_back(ports[0]);
    }
    return outputs_of(
        context.make<ops::If>("", std::move(inputs), std::move(bodies), std::move(ports)));
}

constexpr OpEntry kEntries[] = {
    {"", "If", 1, convert_if},
};

}  // namespace

std::span<const OpEntry> if_converters() { return kEntries; }

}  // namespace rondo::onnx
