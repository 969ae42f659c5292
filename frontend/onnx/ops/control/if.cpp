// Converts If.
#include <algorithm>
#include <optional>
#include <string>

#include "core/ops/control/if.hpp"
#include "frontend/onnx/context/sequence.hpp"
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
    std::vector<BodyOutput> outputs;
};

Branch read_branch(NodeContext& context, const char* name, std::vector<Output>& inputs) {
    BodyRequest request;
    request.takes_sequences = true;
    const BodyGraph body = context.read_body(name, std::move(request));
    check_output_count(body, context.output_count(), context.output_count());
    Branch branch{body.graph, {}, body.outputs};
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        branch.ports.inputs.push_back({input_of(body.captured[i], inputs), i, {}, {}});
    }
    for (std::size_t i = 0; i < body.graph->results().size(); ++i) {
        branch.ports.outputs.push_back({i, i, {}});
    }
    return branch;
}

// Both branches must give the same kinds of outputs, sequences of the same length.
void check_same_outputs(const std::vector<BodyOutput>& a, const std::vector<BodyOutput>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].form == b[i].form && a[i].count == b[i].count) continue;
        throw UnsupportedError("output " + std::to_string(i) +
                               " of the branches is a tensor here and a sequence there, or "
                               "sequences of different lengths");
    }
}

// The node's outputs, of which sequences take several of the op's.
std::vector<Output> gathered(NodeContext& context, const std::vector<BodyOutput>& outputs,
                             const std::vector<Output>& tensors) {
    std::vector<Output> all;
    for (const BodyOutput& output : outputs) {
        const auto first = tensors.begin() + static_cast<std::ptrdiff_t>(output.first);
        const std::vector<Output> parts(first, first + static_cast<std::ptrdiff_t>(output.count));
        switch (output.form) {
            case BodyOutput::Form::tensor: all.push_back(parts[0]); break;
            case BodyOutput::Form::sequence:
                all.emplace_back(context.make<Sequence>("list", parts));
                break;
            case BodyOutput::Form::rows: all.emplace_back(make_node<Rows>(parts[0])); break;
            case BodyOutput::Form::growing:
                throw UnsupportedError("a branch adds to a sequence that goes round in a loop");
        }
    }
    return all;
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
    std::vector<BodyOutput> outputs;
    const auto condition = known_condition(inputs[0]);
    for (const bool taken : {true, false}) {
        if (condition && *condition != taken) continue;
        Branch branch = read_branch(context, taken ? "then_branch" : "else_branch", inputs);
        if (!bodies.empty()) check_same_outputs(outputs, branch.outputs);
        outputs = std::move(branch.outputs);
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
    const auto tensors = outputs_of(
        context.make<ops::If>("", std::move(inputs), std::move(bodies), std::move(ports)));
    return gathered(context, outputs, tensors);
}

constexpr OpEntry kEntries[] = {
    {"", "If", 1, convert_if},
};

}  // namespace

std::span<const OpEntry> if_converters() { return kEntries; }

}  // namespace rondo::onnx
