// `rondo info`: lists a model's inputs, outputs, operations, weights and kernels.
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "coverage.hpp"
#include "drawing.hpp"
#include "inputs/inputs.hpp"
#include "json_text.hpp"
#include "node_kinds.hpp"
#include "property_arguments.hpp"
#include "rondo/core.hpp"
#include "rondo/error.hpp"
#include "state_arguments.hpp"
#include "statistics.hpp"
#include "why.hpp"

namespace rondo::tool {
namespace {

using Nodes = std::vector<NodeInfo>;

std::string port_text(const PortInfo& port) {
    return std::string(to_string(port.element_type)) + to_string(port.shape);
}

std::string attribute(const NodeInfo& node, const std::string& name) {
    for (const auto& [key, value] : node.attributes) {
        if (key == name) return value;
    }
    return "";
}

struct OpCounts {
    std::map<std::string, std::size_t> by_type;
    std::size_t once = 0;  ///< on constants alone, which are not in by_type
};

OpCounts count_ops(const Nodes& nodes) {
    OpCounts counts;
    const auto once = computed_once(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!is_operation(nodes[i])) continue;
        ++(once[i] ? counts.once : counts.by_type[nodes[i].type]);
    }
    return counts;
}

std::map<std::string, std::size_t> weight_bytes(const Nodes& nodes) {
    std::map<std::string, std::size_t> bytes;
    for (const auto& node : nodes) {
        if (node.type == "Const") {
            bytes[std::string(to_string(node.outputs[0].element_type))] += node.constant_bytes;
        }
    }
    return bytes;
}

// A recurrent layer's table row. I is the last extent of W, H the last of the output.
struct LayerSummary {
    std::string name;
    std::string type;
    std::string direction;
    std::string input_size;
    std::string hidden_size;
    std::string notes;
};

std::string last_extent(const PartialShape& shape) {
    if (!shape.has_rank() || shape.rank() == 0) return "?";
    return to_string(shape[shape.rank() - 1]);
}

LayerSummary layer_of(const Nodes& nodes, const NodeInfo& node) {
    LayerSummary layer{
        node.name, node.type, attribute(node, "direction"), "", last_extent(node.outputs[0].shape),
        ""};
    if (layer.direction.empty()) layer.direction = "-";
    const auto& w = node.inputs[weights_port(node)];
    layer.input_size = last_extent(nodes[w.node].outputs[w.output].shape);
    const auto note = [&](const std::string& text) {
        layer.notes += (layer.notes.empty() ? "" : ", ") + text;
    };
    if (attribute(node, "linear_before_reset") == "true") note("linear_before_reset");
    const std::string clip = attribute(node, "clip");
    if (!clip.empty() && clip != "0") note("clip " + clip);
    if (node.opset == "rondo1") note("rondo1");
    note(attribute(node, "activations"));
    for (const auto& [key, value] : node.facts) {
        if (key == "precision") note(value);
    }
    return layer;
}

void print_ports(const char* title, const std::vector<PortInfo>& ports) {
    std::cout << title << '\n';
    for (const auto& port : ports) {
        std::cout << "  " << port.any_name() << "  " << port_text(port) << '\n';
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

void print_layers(const Nodes& nodes) {
    bool first = true;
    for (const auto& node : nodes) {
        if (!is_recurrent(node)) continue;
        if (first) {
            std::cout << "Recurrent layers\n  " << std::left << std::setw(14) << "type"
                      << std::setw(15) << "direction" << std::setw(8) << "I" << std::setw(8) << "H"
                      << "name (notes)\n";
        }
        first = false;
        const LayerSummary layer = layer_of(nodes, node);
        std::cout << "  " << std::left << std::setw(14) << layer.type << std::setw(15)
                  << layer.direction << std::setw(8) << layer.input_size << std::setw(8)
                  << layer.hidden_size << layer.name << " (" << layer.notes << ")\n";
    }
}

// Where the model comes from, and what else its file says of the whole of it.
void print_facts(const Model& model) {
    const auto facts = model.rt_info();
    if (!facts.empty()) std::cout << "Facts\n";
    for (const auto& [key, value] : facts) {
        std::cout << "  " << key << (value.empty() ? "" : "  " + value) << '\n';
    }
}

void print_operations(const OpCounts& counts) {
    std::cout << "Operations\n";
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
    const auto weights = weight_bytes(nodes);
    if (!weights.empty()) std::cout << "Constants by type\n";
    for (const auto& [type, bytes] : weights) {
        std::cout << "  " << type << "  " << bytes_text(static_cast<double>(bytes)) << '\n';
    }
    print_layers(nodes);
}

void print_kernels(const std::vector<KernelInfo>& kernels) {
    std::cout << "Kernels\n";
    for (const auto& kernel : kernels) {
        std::cout << "  " << std::left << std::setw(16) << kernel.node_type << std::setw(26)
                  << kernel.kernel << kernel.node_name;
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
                          {"constant_bytes", weight_bytes(nodes)},
                          {"variables", nlohmann::json::array()},
                          {"recurrent_layers", nlohmann::json::array()}};
    for (const auto& variable : variables_of(nodes)) {
        report["variables"].push_back({{"id", variable.id},
                                       {"port", variable.port},
                                       {"starts_computed", variable.is_computed}});
    }
    for (const auto& node : nodes) {
        if (!is_recurrent(node)) continue;
        const LayerSummary layer = layer_of(nodes, node);
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

int print_rows(const Model& model) {
    const BatchRows rows = model.batch_rows();
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
    if (options.coverage) {
        return coverage({options.models, options.device, options.properties, options.json});
    }
    if (options.models.size() > 1) {
        throw ModelError("info shows one model; --coverage looks at several");
    }
    if (!options.why.empty()) {
        return why({options.models[0], options.why, options.device, options.properties,
                    options.data_shape});
    }
    if (!options.graph.empty()) check_drawing_name(options.graph);
    Core core = core_for(options.properties);
    const Model model = read_with_shapes(core, options.models[0], options.data_shape);
    if (options.rows) return print_rows(model);
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
