// Converts SequenceMap: its body once for each tensor, or a loop over rows.
#include <algorithm>

#include "core/ops/control/control_ops.hpp"
#include "core/ops/source/source_ops.hpp"
#include "frontend/onnx/ops/common/building_blocks.hpp"
#include "frontend/onnx/ops/control/converters.hpp"
#include "frontend/onnx/ops/control/joined.hpp"
#include "frontend/onnx/ops/control/loop_values.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kMostTensors = 1000;

// The body's outputs, whose nodes are now in the graph around it.
std::vector<Output> inlined(const BodyGraph& body, std::vector<Output> inputs) {
    inputs.insert(inputs.end(), body.captured.begin(), body.captured.end());
    for (const NodePtr& node : body.graph->ordered_nodes()) {
        // Each tensor has as many names as there are copies of the body.
        for (std::size_t i = 0; i < node->output_count(); ++i) node->output(i).set_names({});
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Output(body.graph->parameters()[i]).replace_with(inputs[i]);
    }
    std::vector<Output> outputs;
    for (const NodePtr& result : body.graph->results()) outputs.push_back(result->input(0));
    return outputs;
}

// What the body gets with tensor `index`: that one, and from the other inputs the same place of
// sequences, or the tensor itself.
std::vector<Output> inputs_at(NodeContext& context, std::size_t index, std::size_t count) {
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        if (i > 0 && !find_sequence(context.any_input(i))) {
            inputs.push_back(context.input(i));
            continue;
        }
        const auto& tensors = context.tensors(i);
        if (tensors.size() != count) {
            throw ModelError("input " + std::to_string(i) + " has " +
                             std::to_string(tensors.size()) + " tensors; expected " +
                             std::to_string(count) + " as input 0 has");
        }
        inputs.push_back(tensors[index]);
    }
    return inputs;
}

// Takes rows one after another, and tensors whole.
void add_row_input(NodeContext& context, std::size_t index, BodyRequest& request,
                   std::vector<Output>& inputs, ops::BodyPorts& ports) {
    const Sequence* sequence = find_sequence(context.any_input(index));
    ports.inputs.push_back({index, index, {}, {}});
    if (sequence != nullptr && sequence->is_list()) {
        throw UnsupportedError("input " + std::to_string(index) +
                               " is a sequence of known length, but not input 0");
    }
    const bool is_joined = sequence != nullptr && sequence->is_joined();
    inputs.push_back(is_joined ? stacked(context, *sequence) : context.input(index));
    request.inputs.push_back({inputs.back().element_type(), inputs.back().shape()});
    if (!is_joined) return;
    ports.inputs.back().slice = ops::PartRange{};
    BodyValue& row = request.inputs.back();
    row.extra_axis = 0;
    if (row.shape.has_rank()) row.shape[0] = 1;
}

std::vector<Output> map_rows(NodeContext& context) {
    BodyRequest request;
    ops::BodyPorts ports;
    std::vector<Output> inputs;
    for (std::size_t i = 0; i < context.input_count(); ++i) {
        add_row_input(context, i, request, inputs, ports);
    }
    request.extra_axis = [](std::size_t) { return 0; };
    const BodyGraph body = context.read_body("body", request);
    check_output_count(body, context.output_count(), context.output_count());
    for (std::size_t i = 0; i < context.output_count(); ++i) {
        ports.outputs.push_back({i, i, ops::PartRange{}});
    }
    add_captured(body, inputs, ports);
    std::vector<Output> results;
    for (const Output& rows : outputs_of(context.make<ops::TensorIterator>(
             "", std::move(inputs), body.graph, std::move(ports)))) {
        results.push_back(make_joined(rows, {}));
    }
    return results;
}

}  // namespace

std::vector<Output> convert_sequence_map(NodeContext& context) {
    if (context.sequence(0).is_joined()) return map_rows(context);
    const std::size_t count = context.tensors(0).size();
    if (count > kMostTensors) {
        throw UnsupportedError("the sequence has " + std::to_string(count) +
                               " tensors; Rondo maps " + std::to_string(kMostTensors));
    }
    std::vector<std::vector<Output>> sequences(context.output_count());
    for (std::size_t k = 0; k < count; ++k) {
        const auto inputs = inputs_at(context, k, count);
        BodyRequest request;
        request.is_inlined = true;
        for (const Output& input : inputs) {
            request.inputs.push_back({input.element_type(), input.shape()});
        }
        const BodyGraph body = context.read_body("body", request);
        check_output_count(body, sequences.size(), sequences.size());
        const auto outputs = inlined(body, inputs);
        for (std::size_t i = 0; i < outputs.size(); ++i) sequences[i].push_back(outputs[i]);
    }
    if (count == 0) {
        context.attributes().skip("body");
        for (std::size_t i = 0; i < context.input_count(); ++i) context.any_input(i);
    }
    std::vector<Output> results;
    for (auto& tensors : sequences) results.emplace_back(make_node<Sequence>(std::move(tensors)));
    return results;
}

}  // namespace rondo::onnx
