#include "layer_compare.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rondo/error.hpp"
#include "rondo/graph_builder.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

// Nodes whose outputs say nothing: inputs, what files hold, and the ends of the graph.
bool is_compared(const GraphNode& node) {
    constexpr const char* kLeftOut[] = {"Assign", "Const", "Parameter", "ReadValue", "Result"};
    return std::none_of(std::begin(kLeftOut), std::end(kLeftOut),
                        [&](const char* type) { return node.type() == type; });
}

// Whether tensors of one can be tensors of the other.
bool is_alike(const GraphOutput& a, const GraphOutput& b) {
    const PartialShape shape = a.shape();
    const bool has_type = a.element_type() != ElementType::dynamic;
    return has_type && a.element_type() == b.element_type() && bool(shape.intersect(b.shape()));
}

struct Pairs {
    std::vector<GraphOutput> tested;
    std::vector<GraphOutput> reference;
    std::size_t unpaired = 0;
};

Pairs find_pairs(const Model& tested, const Model& reference) {
    std::map<std::string, GraphNode> known;
    for (const GraphNode& node : graph_nodes(reference)) {
        if (is_compared(node)) known.emplace(node.name(), node);
    }
    Pairs pairs;
    for (const GraphNode& node : graph_nodes(tested)) {
        if (!is_compared(node)) continue;
        const auto at = known.find(node.name());
        const std::size_t count =
            at == known.end() ? 0 : std::min(node.output_count(), at->second.output_count());
        bool is_paired = false;
        for (std::size_t i = 0; i < count; ++i) {
            if (!is_alike(node.output(i), at->second.output(i))) continue;
            pairs.tested.push_back(node.output(i));
            pairs.reference.push_back(at->second.output(i));
            is_paired = true;
        }
        pairs.unpaired += is_paired ? 0 : 1;
    }
    return pairs;
}

// The values of these outputs of the model's nodes.
std::vector<Tensor> values_of(const Core& core, const Run& run,
                              const std::vector<GraphOutput>& outputs,
                              const std::map<std::string, Tensor>& inputs) {
    const Model open =
        make_model({run.model.name(), parameter_nodes(run.model), outputs, sink_nodes(run.model)});
    CompiledModel compiled = core.compile_model(open, run.device, run.properties);
    InferRequest request = compiled.create_infer_request();
    for (const auto& [name, tensor] : inputs) request.set_tensor(name, tensor);
    request.infer();
    std::vector<Tensor> values;
    for (std::size_t i = 0; i < outputs.size(); ++i) values.push_back(request.get_output_tensor(i));
    return values;
}

std::string text_of(const LayerDifference& layer) {
    const std::string output =
        layer.output == 0 ? "" : ", output " + std::to_string(layer.output) + ",";
    return "'" + layer.node + "' (" + layer.type + ")" + output + " " + layer.element_type +
           to_text(layer.difference);
}

std::size_t count_past(const LayerComparison& comparison) {
    return static_cast<std::size_t>(std::count_if(
        comparison.layers.begin(), comparison.layers.end(),
        [](const LayerDifference& layer) { return layer.difference.past_tolerance > 0; }));
}

}  // namespace

LayerComparison compare_layers(const Core& core, const Run& tested, const Run& reference,
                               const std::map<std::string, Tensor>& inputs,
                               const CompareOptions& options) {
    // The new models share nodes with these, and passes count readers.
    const Run own_tested{tested.model.clone(), tested.device, tested.properties};
    const Run own_reference{reference.model.clone(), reference.device, reference.properties};
    const Pairs pairs = find_pairs(own_tested.model, own_reference.model);
    if (pairs.tested.empty()) {
        throw ModelError("--layers: the models have no node of the same name, type and shape");
    }
    const auto expected = values_of(core, own_reference, pairs.reference, inputs);
    const auto got = values_of(core, own_tested, pairs.tested, inputs);
    LayerComparison comparison;
    comparison.unpaired = pairs.unpaired;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const GraphNode& node = pairs.tested[i].node();
        comparison.layers.push_back(
            {node.name(), node.type(), pairs.tested[i].index(),
             std::string(to_string(got[i].element_type())),
             difference("node '" + node.name() + "'", got[i], expected[i], options)});
    }
    return comparison;
}

const LayerDifference* first_past(const LayerComparison& comparison) {
    const auto at = std::find_if(
        comparison.layers.begin(), comparison.layers.end(),
        [](const LayerDifference& layer) { return layer.difference.past_tolerance > 0; });
    return at == comparison.layers.end() ? nullptr : &*at;
}

std::string to_text(const LayerComparison& comparison) {
    std::string text = counted(comparison.layers.size(), "output") + " of nodes compared";
    if (comparison.unpaired > 0) {
        text += "; " + counted(comparison.unpaired, "node") +
                (comparison.unpaired == 1 ? " has" : " have") +
                " none of the same name, type and shape in the reference";
    }
    const LayerDifference* first = first_past(comparison);
    if (first == nullptr) return text + "\nno node differs\n";
    text += "\nfirst node that differs: " + text_of(*first) + "\n";
    const std::size_t past = count_past(comparison);
    if (past == 2) text += "1 output behind it differs, too\n";
    if (past > 2) text += std::to_string(past - 1) + " outputs behind it differ, too\n";
    return text;
}

nlohmann::json to_json(const LayerComparison& comparison) {
    nlohmann::json entries = nlohmann::json::array();
    for (const LayerDifference& layer : comparison.layers) {
        nlohmann::json entry = to_json(layer.difference);
        entry["node"] = layer.node;
        entry["type"] = layer.type;
        entry["port"] = layer.output;
        entry["element_type"] = layer.element_type;
        entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace rondo::tool
