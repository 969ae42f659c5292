// Converts If.
#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/joined.hpp"
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

BodyGraph read_branch(NodeContext& context, const std::string& name) {
    BodyRequest request;
    request.takes_sequences = true;
    BodyGraph body = context.read_body(name, request);
    check_output_count(body, context.output_count(), context.output_count());
    return body;
}

// What of the graph around the branch the whole of a joined sequence is; else empty.
Output outer_whole(const BodyGraph& body, const Sequence& sequence) {
    if (!sequence.is_joined()) return {};
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        if (sequence.whole().node_ptr() == body.graph->parameters()[i]) return body.captured[i];
    }
    return {};
}

// What an output of the node is: a tensor, or a sequence of the same form in each branch.
struct OutputForm {
    std::optional<SequenceForm> form = {};
    std::size_t count = 1;  ///< of tensors that each branch gives
    Output base = {};       ///< the whole to which each branch only adds tensors
};

bool are_same(const Sequence& a, const Sequence& b) {
    return a.form().kind == b.form().kind && a.input_count() == b.input_count() &&
           a.form().front == b.form().front && a.form().is_stack == b.form().is_stack &&
           a.form().axis == b.form().axis;
}

OutputForm find_form(std::size_t index, const BodyGraph& one, const BodyGraph& other) {
    const Sequence* first = find_sequence(one.outputs[index].value);
    const Sequence* second = find_sequence(other.outputs[index].value);
    if ((first == nullptr) != (second == nullptr)) {
        throw UnsupportedError("output " + std::to_string(index) +
                               " of the branches is a tensor here and a sequence there");
    }
    if (first == nullptr) return {};
    if (are_same(*first, *second)) {
        const Output base = outer_whole(one, *first);
        const bool only_adds = base && base == outer_whole(other, *second);
        const std::size_t count = first->input_count();
        if (only_adds) return {first->form(), count - 1, base};
        if (first->is_list()) return {first->form(), count};
    }
    SequenceForm form;
    for (const Sequence* sequence : {first, second}) {
        if (sequence->is_joined()) form = sequence->form();
    }
    form.kind = SequenceForm::Kind::joined;
    form.front = 0;
    return {form};
}

// The tensors that the branch gives for an output.
std::vector<Output> given(NodeContext& context, const BodyOutput& output, const OutputForm& form) {
    const Sequence& sequence = *find_sequence(output.value);
    std::vector<Output> tensors = sequence.inputs();
    if (form.base) {
        tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(form.form->front));
    } else if (form.form->kind == SequenceForm::Kind::joined) {
        at_place([&] { return "output '" + output.name + "'"; },
                 [&] { tensors = {joined(context, sequence, *form.form)}; });
    }
    return tensors;
}

void make_results(NodeContext& context, BodyGraph& body, const std::vector<OutputForm>& forms) {
    std::vector<NodePtr> results;
    auto tensor = body.graph->results().begin();
    for (std::size_t i = 0; i < forms.size(); ++i) {
        if (!forms[i].form) {
            results.push_back(*tensor++);
            continue;
        }
        for (const Output& value : given(context, body.outputs[i], forms[i])) {
            results.push_back(context.make<ops::Result>("list/result", value));
        }
    }
    set_ends(body, {}, std::move(results));
}

ops::BodyPorts ports_of(const BodyGraph& body, std::vector<Output>& inputs) {
    ops::BodyPorts ports;
    for (std::size_t i = 0; i < body.captured.size(); ++i) {
        ports.inputs.push_back({input_of(body.captured[i], inputs), i, {}, {}});
    }
    for (std::size_t i = 0; i < body.graph->results().size(); ++i) {
        ports.outputs.push_back({i, i, {}});
    }
    return ports;
}

// Nothing while the condition isn't known.
std::optional<bool> known_condition(const Output& condition) {
    const Tensor known = known_value(condition);
    if (!known || known.size() != 1 || known.element_type() != ElementType::boolean) return {};
    return ops::is_true(known);
}

// Only a branch that may be taken is read: the other one need not suit the shapes.
std::vector<BodyGraph> read_branches(NodeContext& context, std::optional<bool> condition) {
    std::vector<BodyGraph> bodies;
    for (const bool taken : {true, false}) {
        const std::string name = taken ? "then_branch" : "else_branch";
        if (!condition || *condition == taken) {
            bodies.push_back(read_branch(context, name));
        } else if (context.attributes().find_graph(name) == nullptr) {
            throw ModelError("attribute '" + name + "' is missing");
        }
    }
    return bodies;
}

// The node's outputs, of which sequences take several of the op's.
std::vector<Output> outputs_of_forms(const std::vector<OutputForm>& forms,
                                     const std::vector<Output>& tensors) {
    std::vector<Output> all;
    auto next = tensors.begin();
    for (const OutputForm& output : forms) {
        const auto first = next;
        next += static_cast<std::ptrdiff_t>(output.count);
        std::vector<Output> inputs(first, next);
        if (output.base) {
            const auto front = static_cast<std::ptrdiff_t>(output.form->front);
            inputs.insert(inputs.begin() + front, output.base);
        }
        all.push_back(output.form ? make_node<Sequence>(std::move(inputs), *output.form)
                                  : inputs[0]);
    }
    return all;
}

}  // namespace

std::vector<Output> convert_if(NodeContext& context) {
    std::vector<Output> inputs{context.input(0)};
    auto read = read_branches(context, known_condition(inputs[0]));
    std::vector<OutputForm> forms;
    for (std::size_t i = 0; i < context.output_count(); ++i) {
        forms.push_back(find_form(i, read.front(), read.back()));
    }
    std::vector<GraphPtr> bodies;
    std::vector<ops::BodyPorts> ports;
    for (BodyGraph& body : read) {
        make_results(context, body, forms);
        bodies.push_back(body.graph);
        ports.push_back(ports_of(body, inputs));
    }
    if (bodies.size() == 1) {
        bodies.push_back(bodies[0]->clone());
        ports.push_back(ports[0]);
    }
    return outputs_of_forms(
        forms, outputs_of(context.make<ops::If>("", std::move(inputs), std::move(bodies),
                                                std::move(ports))));
}

}  // namespace rondo::onnx
