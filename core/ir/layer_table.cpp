#include "core/ir/layer_table.hpp"

#include <unordered_map>

#include "core/support/errors.hpp"
#include "core/support/strings.hpp"

namespace rondo::ir {
namespace {

std::map<std::int64_t, std::size_t> read_ports(pugi::xml_node list) {
    std::map<std::int64_t, std::size_t> ports;
    for (const pugi::xml_node port : list.children("port")) {
        const std::int64_t id = count_attribute(port, "id");
        if (!ports.emplace(id, ports.size()).second) {
            throw ModelError("port " + std::to_string(id) + " is there twice");
        }
    }
    return ports;
}

Layer read_layer(pugi::xml_node xml, std::size_t index) {
    Layer layer;
    layer.xml = xml;
    at_place([&] { return "layer number " + std::to_string(index) + " of the file"; },
             [&] {
                 layer.id = count_attribute(xml, "id");
                 layer.name = text_attribute(xml, "name");
                 layer.type = text_attribute(xml, "type");
                 layer.version = text_attribute(xml, "version");
             });
    at_place([&] { return describe(layer); },
             [&] {
                 layer.input_ports = read_ports(xml.child("input"));
                 layer.output_ports = read_ports(xml.child("output"));
             });
    layer.inputs.resize(layer.input_ports.size());
    return layer;
}

using LayerIndex = std::unordered_map<std::int64_t, std::size_t>;

std::size_t find_layer(const LayerIndex& index, std::int64_t id) {
    const auto found = index.find(id);
    if (found == index.end()) throw ModelError("there is no layer " + std::to_string(id));
    return found->second;
}

std::size_t find_port(const Layer& layer, const std::map<std::int64_t, std::size_t>& ports,
                      std::int64_t id, const char* kind) {
    const auto found = ports.find(id);
    if (found == ports.end()) {
        throw ModelError(describe(layer) + " has no " + kind + " port " + std::to_string(id));
    }
    return found->second;
}

void join_layers(std::vector<Layer>& layers, const LayerIndex& index, pugi::xml_node edge) {
    const std::size_t from = find_layer(index, count_attribute(edge, "from-layer"));
    Layer& to = layers[find_layer(index, count_attribute(edge, "to-layer"))];
    const std::int64_t to_port = count_attribute(edge, "to-port");
    const std::size_t output = find_port(layers[from], layers[from].output_ports,
                                         count_attribute(edge, "from-port"), "output");
    LayerInput& input = to.inputs[find_port(to, to.input_ports, to_port, "input")];
    if (input.layer != LayerInput::kNone) {
        throw ModelError(describe(to) + " has two edges into its port " + std::to_string(to_port));
    }
    input = {from, output};
}

std::string describe_edge(pugi::xml_node edge) {
    const auto text = [&](const char* name) { return std::string(edge.attribute(name).value()); };
    return "edge " + text("from-layer") + ":" + text("from-port") + " -> " + text("to-layer") +
           ":" + text("to-port");
}

// Depth first without recursion: hostile files hold chains of any length.
class Orderer {
public:
    explicit Orderer(const std::vector<Layer>& layers)
        : layers_(layers), states_(layers.size(), State::fresh) {}

    void add(std::size_t layer) {
        if (states_[layer] == State::fresh) open(layer);
        while (!stack_.empty()) step();
    }

    std::vector<std::size_t> take() { return std::move(order_); }

private:
    enum class State : std::uint8_t { fresh, open, done };
    struct Frame {
        std::size_t layer;
        std::size_t next_input;
    };

    void open(std::size_t layer) {
        states_[layer] = State::open;
        stack_.push_back({layer, 0});
    }

    void step() {
        Frame& frame = stack_.back();
        const Layer& layer = layers_[frame.layer];
        if (frame.next_input == layer.inputs.size()) {
            states_[frame.layer] = State::done;
            order_.push_back(frame.layer);
            stack_.pop_back();
            return;
        }
        const std::size_t source = layer.inputs[frame.next_input++].layer;
        if (source == LayerInput::kNone) {
            throw ModelError(describe(layer) + ": input " + std::to_string(frame.next_input - 1) +
                             " has no edge");
        }
        if (states_[source] == State::open) {
            throw ModelError(describe(layers_[source]) + ": the layer is part of a cycle");
        }
        if (states_[source] == State::fresh) open(source);
    }

    const std::vector<Layer>& layers_;
    std::vector<State> states_;
    std::vector<Frame> stack_;
    std::vector<std::size_t> order_;
};

}  // namespace

bool Layer::is(std::string_view wanted) const { return equals_ignoring_case(type, wanted); }

std::string describe(const Layer& layer) {
    return "layer " + std::to_string(layer.id) + " '" + layer.name + "' (" + layer.type + ")";
}

std::string text_attribute(pugi::xml_node element, const char* name) {
    const pugi::xml_attribute attribute = element.attribute(name);
    if (!attribute) throw ModelError("attribute '" + std::string(name) + "' is missing");
    return attribute.value();
}

std::int64_t count_attribute(pugi::xml_node element, const char* name) {
    const std::string text = text_attribute(element, name);
    long long value = 0;
    if (!parse_int(text, value) || value < 0) {
        throw ModelError("attribute '" + std::string(name) + "' is '" + text +
                         "'; expected a whole number of at least 0");
    }
    return value;
}

std::vector<Layer> read_layers(pugi::xml_node net) {
    std::vector<Layer> layers;
    LayerIndex index;
    for (const pugi::xml_node xml : net.child("layers").children("layer")) {
        layers.push_back(read_layer(xml, layers.size()));
        const auto [known, added] = index.emplace(layers.back().id, layers.size() - 1);
        if (!added) {
            throw ModelError(describe(layers.back()) + ": " + describe(layers[known->second]) +
                             " has the same id");
        }
    }
    for (const pugi::xml_node edge : net.child("edges").children("edge")) {
        at_place([&] { return describe_edge(edge); }, [&] { join_layers(layers, index, edge); });
    }
    return layers;
}

std::vector<std::size_t> needed_layers(const std::vector<Layer>& layers) {
    Orderer orderer(layers);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Layer& layer = layers[i];
        if (layer.is("Parameter") || layer.is("Assign") || layer.is("Result")) orderer.add(i);
    }
    return orderer.take();
}

}  // namespace rondo::ir
