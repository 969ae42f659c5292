// `rondo compare`: runs two models or devices on the same inputs and compares their outputs.
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "difference.hpp"
#include "inputs/inputs.hpp"
#include "layer_compare.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "rondo/nearest_name.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

using Tensors = std::map<std::string, Tensor>;

Tensors results(const Core& core, const Run& run, const Tensors& inputs) {
    CompiledModel compiled = core.compile_model(run.model, run.device, run.properties);
    InferRequest request = compiled.create_infer_request();
    for (const auto& [name, tensor] : inputs) request.set_tensor(name, tensor);
    request.infer();
    Tensors outputs;
    for (std::size_t i = 0; i < compiled.outputs().size(); ++i) {
        outputs[compiled.outputs()[i].any_name()] = request.get_output_tensor(i);
    }
    return outputs;
}

std::vector<std::string> names_of(const Tensors& tensors) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors) names.push_back(name);
    return names;
}

struct OutputDifference {
    std::string name;
    Difference difference;
};

std::vector<OutputDifference> compare_outputs(const Core& core, const Run& tested,
                                              const Run& reference, const Tensors& inputs,
                                              const CompareOptions& options) {
    const Tensors expected = results(core, reference, inputs);
    const Tensors got = results(core, tested, inputs);
    std::vector<OutputDifference> outputs;
    for (const auto& port : tested.model.outputs()) {
        const std::string& name = port.any_name();
        const auto at = expected.find(name);
        if (at == expected.end()) {
            throw ModelError("the reference has no output '" + name + "'; " +
                             known_names(name, names_of(expected)));
        }
        outputs.push_back(
            {name, difference("output '" + name + "'", got.at(name), at->second, options)});
    }
    for (const auto& [name, tensor] : expected) {
        if (got.count(name) != 0) continue;
        throw ModelError("the model has no output '" + name + "', which the reference has; " +
                         known_names(name, names_of(got)));
    }
    return outputs;
}

// The file too, if there are two.
std::string label_of(const std::string& model, const std::string& device,
                     const CompareOptions& options) {
    if (options.reference_model.empty()) return device;
    return std::filesystem::path(model).filename().string() + " on " + device;
}

void print_verdict(bool equal, const CompareOptions& options) {
    std::cout << label_of(options.model, options.device, options)
              << (equal ? " equals " : " DIFFERS from ")
              << label_of(options.reference_model, options.reference_device, options)
              << (equal ? " within atol " : " by more than atol ") << options.atol << " + rtol "
              << options.rtol << " * |reference|\n";
}

nlohmann::json to_json(const std::vector<OutputDifference>& outputs) {
    nlohmann::json report = nlohmann::json::array();
    for (const OutputDifference& output : outputs) {
        nlohmann::json entry = to_json(output.difference);
        entry["output"] = output.name;
        report.push_back(std::move(entry));
    }
    return report;
}

void print_json(const std::vector<OutputDifference>& outputs,
                const std::optional<LayerComparison>& layers) {
    nlohmann::json report = to_json(outputs);
    if (layers) {
        const LayerDifference* first = first_past(*layers);
        report = {{"outputs", std::move(report)},
                  {"layers", to_json(*layers)},
                  {"unpaired", layers->unpaired},
                  {"first", first == nullptr ? nlohmann::json() : nlohmann::json(first->node)}};
    }
    std::cout << json_text(report) << '\n';
}

}  // namespace

int compare(const CompareOptions& options) {
    Core core = core_for(options.properties);
    const Model model = core.read_model(options.model);
    const Run tested{model, options.device, parse_properties(options.properties)};
    const Run reference{
        options.reference_model.empty() ? model : core.read_model(options.reference_model),
        options.reference_device};
    const Tensors inputs =
        read_or_make_inputs(model, options.inputs, options.data_shape, options.seed);
    const auto outputs = compare_outputs(core, tested, reference, inputs, options);
    std::optional<LayerComparison> layers;
    if (options.layers) layers = compare_layers(core, tested, reference, inputs, options);
    bool equal = !layers || first_past(*layers) == nullptr;
    for (const auto& output : outputs) equal = equal && output.difference.past_tolerance == 0;
    if (options.json) {
        print_json(outputs, layers);
    } else {
        for (const auto& [name, difference] : outputs) {
            std::cout << "output '" << name << "' " << to_text(difference) << '\n';
        }
        if (layers) std::cout << to_text(*layers);
        print_verdict(equal, options);
    }
    return equal ? 0 : 1;
}

}  // namespace rondo::tool
