// Converts If.
#include <algorithm>
#include <optional>
#include <set>
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

using Indices = std::set<std::size_t>;

Branch read_branch(NodeContext& context, const char* name, const Indices& as_rows,
                   std::vector<Output>& inputs) {
    BodyRequest request;
    request.takes_sequences = true;
    request.as_rows = as_rows;
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

bool are_same(const BodyOutput& a, const BodyOutput& b) {
    return a.form == b.form && a.count == b.count && a.list == b.list && a.added == b.added;
}

bool is_list_or_rows(const BodyOutput& output) {
    return output.form == BodyOutput::Form::sequence || output.form == BodyOutput::Form::rows;
}

// The sequences that have another length in the other branch. A list of a loop around gets another
// form.
Indices differing_lists(const std::vector<BodyOutput>& a, const std::vector<BodyOutput>& b) {
    Indices result;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (are_same(a[i], b[i])) continue;
        for (const BodyOutput& output : {a[i], b[i]}) {
            if (output.list) throw ListIsRead{output.list};
        }
        if (!is_list_or_rows(a[i]) || !is_list_or_rows(b[i])) {
            throw UnsupportedError("output " + std::to_string(i) +
                                   " of the branches is a tensor here and a sequence there");
        }
        result.insert(i);
    }
    return result;
}

// The node's outputs, of which sequences take several of the op's.
std::vector<Output> gathered(NodeContext& context, const std::vector<BodyOutput>& outputs,
                             const std::vector<Output>& tensors) {
    std::vector<Output> all;
    for (const BodyOutput& output : outputs) {
        const auto first = tensors.begin() + static_cast<std::ptrdiff_t>(output.first);
        std::vector<Output> parts(first, first + static_cast<std::ptrdiff_t>(output.count));
        switch (output.form) {
            case BodyOutput::Form::tensor: all.push_back(parts[0]); break;
            case BodyOutput::Form::sequence:
                all.emplace_back(context.make<Sequence>("list", std::move(parts)));
                break;
            case BodyOutput::Form::rows: all.emplace_back(make_node<Rows>(parts[0])); break;
            case BodyOutput::Form::joined:
                all.emplace_back(make_node<Joined>(parts[0], *output.list->axis, output.list));
                break;
            case BodyOutput::Form::growing:
                all.emplace_back(make_node<Growing>(output.list, output.added, std::move(parts)));
                break;
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

// The branches that may be taken.
struct Choice {
    std::vector<Output> inputs;
    std::vector<Branch> branches;
};

// Only a branch that may be taken is read: the other one need not suit the shapes.
Choice read_choice(NodeContext& context, std::optional<bool> condition, const Indices& as_rows) {
    Choice choice{{context.input(0)}, {}};
    for (const bool taken : {true, false}) {
        if (condition && *condition != taken) continue;
        const char* name = taken ? "then_branch" : "else_branch";
        choice.branches.push_back(read_branch(context, name, as_rows, choice.inputs));
    }
    if (!condition) {
        const auto differing =
            differing_lists(choice.branches[0].outputs, choice.branches[1].outputs);
        if (!differing.empty()) return read_choice(context, condition, differing);
        return choice;
    }
    const std::string other = *condition ? "else_branch" : "then_branch";
    if (context.attributes().find_graph(other) == nullptr) {
        throw ModelError("attribute '" + other + "' is missing");
    }
    const Branch& read = choice.branches[0];
    choice.branches.push_back({read.graph->clone(), read.ports, read.outputs});
    return choice;
}

}  // namespace

std::vector<Output> convert_if(NodeContext& context) {
    Choice choice = read_choice(context, known_condition(context.input(0)), {});
    std::vector<GraphPtr> bodies;
    std::vector<ops::BodyPorts> ports;
    for (Branch& branch : choice.branches) {
        bodies.push_back(std::move(branch.graph));
        ports.push_back(std::move(branch.ports));
    }
    const auto tensors = outputs_of(
        context.make<ops::If>("", std::move(choice.inputs), std::move(bodies), std::move(ports)));
    return gathered(context, choice.branches[0].outputs, tensors);
}

}  // namespace rondo::onnx
