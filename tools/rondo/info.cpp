// `rondo info`: lists a model's inputs, outputs, operations, weights and kernels.
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "drawing.hpp"
#include "inputs/inputs.hpp"
#include "model_contents.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "state_arguments.hpp"
#include "texts.hpp"

namespace rondo::tool {
namespace {

using Nodes = std::vector<NodeInfo>;

void print_ports(const char* title, const std::vector<PortInfo>& ports) {
    std::cout << title << '\n';
    for (const auto& port : ports) {
        std::cout << "  " << port.any_name() << "  " << typed_shape(port) << '\n';
    }
}

void print_variables(const Nodes& nodes) {
    const auto variables = variables_of(nodes);
    if (!variables.empty()) std::cout << "Variables\n";
    for (const auto& variable : variables) {
        std::cout << "  " << variable.id << "  " << variable.port
                  << (variable.is_computed ? ", starts as computed\n" : ", starts as zeros\n");
    }
}

// The text and blanks up to the width, or one blank if it is longer.
std::string column(const std::string& text, std::size_t width) {
    return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

void print_layers(const Nodes& nodes) {
    const auto layers = recurrent_layers(nodes);
    if (layers.empty()) return;
    const auto print = [](const std::string& type, const std::string& direction,
                          const std::string& input, const std::string& hidden) {
        std::cout << "  " << column(type, 14) << column(direction, 15) << column(input, 8)
                  << column(hidden, 8);
    };
    std::cout << "Recurrent layers\n";
    print("type", "direction", "I", "H");
    std::cout << "name (notes)\n";
    for (const LayerSummary& layer : layers) {
        print(layer.type, layer.direction, layer.input_size, layer.hidden_size);
        std::cout << layer.name << " (" << layer.notes << ")\n";
    }
}

// A fact as people read it; empty if it says nothing.
std::string fact_text(const std::string& key, const std::string& value) {
    if (key == "rondo/options" && value.empty()) return "";
    if (key == "rondo_fixed_extents") return "known extents of inputs stay as they are";
    return key + (value.empty() ? "" : "  " + value);
}

// Where the model comes from, and what else its file says of the whole of it.
void print_facts(const Model& model) {
    const auto facts = model.rt_info();
    if (!facts.empty()) std::cout << "Facts\n";
    for (const auto& [key, value] : facts) {
        const std::string text = fact_text(key, value);
        if (!text.empty()) std::cout << "  " << text << '\n';
    }
}

void print_operations(const OpCounts& counts) {
    std::cout << "Operations";
    if (counts.bodies > 0)
        std::cout << ", those of " << counted(counts.bodies, "body", "bodies") << " too";
    std::cout << '\n';
    const auto print = [](std::size_t count, const std::string& type) {
        std::cout << "  " << std::setw(5) << std::right << count << "  " << type << '\n';
    };
    for (const auto& [type, count] : counts.by_type) print(count, type);
    if (counts.once > 0) print(counts.once, "on constants alone, computed once");
}

void print_people(const Model& model, const Nodes& nodes) {
    std::cout << "Model '" << model.name() << "'\n";
    print_facts(model);
    print_ports("Inputs", model.inputs());
    print_ports("Outputs", model.outputs());
    print_variables(nodes);
    print_operations(count_ops(nodes));
    const auto weights = constant_bytes(nodes);
    if (!weights.empty()) std::cout << "Constants by type\n";
    for (const auto& [type, bytes] : weights) {
        std::cout << "  " << type << "  " << bytes_text(static_cast<double>(bytes)) << '\n';
    }
    print_layers(nodes);
}

void print_kernels(const std::vector<KernelInfo>& kernels) {
    std::cout << "Kernels\n";
    for (const auto& kernel : kernels) {
        std::cout << "  " << column(kernel.node_type, 16) << column(kernel.kernel, 26)
                  << kernel.node_name;
        if (!kernel.reason.empty()) std::cout << " (" << kernel.reason << ")";
        std::cout << '\n';
    }
}

nlohmann::json ports_json(const std::vector<PortInfo>& ports) {
    auto result = nlohmann::json::array();
    for (const auto& port : ports) {
        const std::string shape = to_string(port.shape);
        result.push_back({{"names", port.names},
                          {"type", std::string(to_string(port.element_type))},
                          {"shape", shape}});
    }
    return result;
}

// An open extent is null.
nlohmann::json number_or_null(const std::string& text) {
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? nlohmann::json(std::stoll(text)) : nlohmann::json();
}

nlohmann::json to_json(const Model& model, const Nodes& nodes,
                       const std::vector<KernelInfo>& kernels) {
    const OpCounts counts = count_ops(nodes);
    nlohmann::json report{{"name", model.name()},
                          {"facts", model.rt_info()},
                          {"inputs", ports_json(model.inputs())},
                          {"outputs", ports_json(model.outputs())},
                          {"operations", counts.by_type},
                          {"operations_computed_once", counts.once},
                          {"constant_bytes", constant_bytes(nodes)},
                          {"variables", nlohmann::json::array()},
                          {"recurrent_layers", nlohmann::json::array()}};
    for (const auto& variable : variables_of(nodes)) {
        report["variables"].push_back({{"id", variable.id},
                                       {"port", variable.port},
                                       {"starts_computed", variable.is_computed}});
    }
    for (const LayerSummary& layer : recurrent_layers(nodes)) {
        report["recurrent_layers"].push_back({{"name", layer.name},
                                              {"type", layer.type},
                                              {"direction", layer.direction},
                                              {"input_size", number_or_null(layer.input_size)},
                                              {"hidden_size", number_or_null(layer.hidden_size)},
                                              {"notes", layer.notes}});
    }
    for (const auto& kernel : kernels) {
        report["kernels"].push_back({{"node", kernel.node_name},
                                     {"type", kernel.node_type},
                                     {"kernel", kernel.kernel},
                                     {"reason", kernel.reason}});
    }
    return report;
}

std::string axis_text(const BatchRows::Port& port) {
    return port.axis ? "axis " + std::to_string(*port.axis) : "shared";
}

nlohmann::json rows_json(const BatchRows& rows) {
    nlohmann::json report{{"independent", rows.obstacle.empty()},
                          {"obstacle", rows.obstacle},
                          {"open", rows.is_open},
                          {"ports", nlohmann::json::array()}};
    for (const auto& port : rows.ports) {
        report["ports"].push_back(
            {{"kind", port.kind},
             {"name", port.name},
             {"axis", port.axis ? nlohmann::json(*port.axis) : nlohmann::json()}});
    }
    return report;
}

int print_rows(const Model& model, bool as_json) {
    const BatchRows rows = model.batch_rows();
    if (as_json) {
        std::cout << json_text(rows_json(rows)) << '\n';
        return 0;
    }
    if (!rows.obstacle.empty()) {
        std::cout << "The rows of a batch are not independent: " << rows.obstacle << '\n';
        return 0;
    }
    std::cout << "The rows of a batch are independent"
              << (rows.is_open ? "" : "; the batch is 1: compile --batch ? opens it") << '\n';
    for (const auto& port : rows.ports) {
        std::cout << "  " << std::left << std::setw(10) << port.kind << std::setw(8)
                  << axis_text(port) << port.name << '\n';
    }
    return 0;
}

}  // namespace

int info(const InfoOptions& options) {
    if (options.coverage) return coverage(options);
    if (options.models.size() > 1) {
        throw ModelError("info shows one model; --coverage looks at several");
    }
    if (!options.why.empty()) return why(options);
    if (!options.graph.empty()) check_drawing_name(options.graph);
    Core core = core_for(options.properties);
    const Model model = read_with_shapes(core, options.models[0], options.data_shape);
    if (options.rows) return print_rows(model, options.json);
    const Nodes nodes = model.nodes();
    std::vector<KernelInfo> kernels;
    if (options.explain) {
        kernels = core.compile_model(model, options.device, parse_properties(options.properties))
                      .kernels();
    }
    if (options.json) {
        std::cout << json_text(to_json(model, nodes, kernels)) << '\n';
    } else {
        print_people(model, nodes);
        if (options.explain) print_kernels(kernels);
        if (options.text) std::cout << model.to_text();
    }
    if (options.graph.empty()) return 0;
    draw(options.graph, model.name(), nodes);
    if (!options.json) std::cout << "Graph drawn to " << options.graph << '\n';
    return 0;
}

}  // namespace rondo::tool
