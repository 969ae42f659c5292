// Reads and writes how the ports of an op with bodies belong to those of its bodies.
#include "core/ir/layer_table.hpp"

#include <algorithm>
#include <optional>

#include "core/ir/xml_elements.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"

namespace rondo::ir {
namespace {

constexpr const char* kIteration = "current_iteration";
constexpr const char* kCondition = "execution_condition";

std::int64_t integer_or(pugi::xml_node element, const char* name, std::int64_t otherwise) {
    const pugi::xml_attribute attribute = element.attribute(name);
    if (!attribute) return otherwise;
    long long value = 0;
    if (!parse_int(attribute.value(), value)) {
        throw ModelError("attribute '" + std::string(name) + "' is '" + attribute.value() +
                         "'; expected a whole number");
    }
    return value;
}

// Written together; a file that has none of them means a port that is passed whole.
std::optional<ops::PartRange> read_range(pugi::xml_node port) {
    if (!port.attribute("axis")) return std::nullopt;
    ops::PartRange range;
    range.axis = integer_or(port, "axis", range.axis);
    range.start = integer_or(port, "start", range.start);
    range.stride = integer_or(port, "stride", range.stride);
    range.part_size = integer_or(port, "part_size", range.part_size);
    range.end = integer_or(port, "end", range.end);
    return range;
}

void write_range(const std::optional<ops::PartRange>& range, pugi::xml_node port) {
    if (!range) return;
    set(port, "axis", range->axis);
    set(port, "start", range->start);
    set(port, "end", range->end);
    set(port, "stride", range->stride);
    set(port, "part_size", range->part_size);
}

std::size_t find_port(const Layer& layer, const std::map<std::int64_t, std::size_t>& ports,
                      pugi::xml_node element) {
    const std::int64_t id = count_attribute(element, "external_port_id");
    const auto at = ports.find(id);
    if (at != ports.end()) return at->second;
    throw ModelError("the " + std::string(element.name()) + " of external_port_id " +
                     std::to_string(id) + " is not a port of " + describe(layer));
}

std::size_t find_layer(const std::unordered_map<std::int64_t, std::size_t>& layers,
                       pugi::xml_node element, const char* name, const char* kind) {
    const std::int64_t id = count_attribute(element, name);
    const auto at = layers.find(id);
    if (at != layers.end()) return at->second;
    throw ModelError("layer " + std::to_string(id) + " is not a " + std::string(kind) +
                     " of the body");
}

class Reader {
public:
    Reader(const Layer& layer, const BodyLayers& ids) : layer_(layer), ids_(ids) {}

    PortMap read(pugi::xml_node port_map, pugi::xml_node back_edges) {
        for (const pugi::xml_node element : port_map.children()) {
            at_place([&] { return std::string(port_map.name()); }, [&] { add(element); });
        }
        for (const pugi::xml_node edge : back_edges.children("edge")) {
            at_place([&] { return std::string(back_edges.name()); }, [&] { add_edge(edge); });
        }
        return std::move(map_);
    }

private:
    void add(pugi::xml_node element) {
        const std::string_view kind = element.name();
        const std::string_view purpose = element.attribute("purpose").value();
        if (kind == "input") {
            const std::size_t parameter =
                find_layer(ids_.parameters, element, "internal_layer_id", "Parameter");
            if (is_special(purpose, kIteration)) {
                map_.special.iteration = parameter;
                return;
            }
            map_.ports.inputs.push_back({find_port(layer_, layer_.input_ports, element),
                                         parameter,
                                         read_range(element),
                                         {}});
        } else if (kind == "output") {
            const std::size_t result =
                find_layer(ids_.results, element, "internal_layer_id", "Result");
            if (is_special(purpose, kCondition)) {
                map_.special.condition = result;
                if (integer_or(element, "external_port_id", -1) < 0) return;
            }
            map_.ports.outputs.push_back(
                {find_port(layer_, layer_.output_ports, element), result, read_range(element)});
        }
    }

    bool is_special(std::string_view purpose, std::string_view expected) const {
        if (purpose.empty()) return false;
        if (layer_.is("Loop") && purpose == expected) return true;
        throw UnsupportedError("the purpose '" + std::string(purpose) + "' is not known for " +
                               layer_.type);
    }

    void add_edge(pugi::xml_node edge) {
        const std::size_t result = find_layer(ids_.results, edge, "from-layer", "Result");
        const std::size_t parameter = find_layer(ids_.parameters, edge, "to-layer", "Parameter");
        const auto at =
            std::find_if(map_.ports.inputs.begin(), map_.ports.inputs.end(),
                         [&](const ops::BodyInput& port) { return port.parameter == parameter; });
        if (at == map_.ports.inputs.end() || at->back_edge) {
            throw ModelError(
                "the Parameter of layer " + std::string(edge.attribute("to-layer").value()) +
                (at == map_.ports.inputs.end() ? " has no input for the first iteration"
                                               : " has two back edges"));
        }
        at->back_edge = result;
    }

    const Layer& layer_;
    const BodyLayers& ids_;
    PortMap map_;
};

pugi::xml_node add_mapped_port(pugi::xml_node port_map, const char* kind, std::int64_t external,
                               std::size_t internal) {
    pugi::xml_node port = add_element(port_map, kind);
    set(port, "external_port_id", external);
    set(port, "internal_layer_id", internal);
    return port;
}

}  // namespace

std::string port_map_name(const std::string& body_name) {
    constexpr std::string_view kBody = "body";
    return body_name.substr(0, body_name.size() - kBody.size()) + "port_map";
}

PortMap read_port_map(const Layer& layer, const std::string& body, const BodyLayers& ids) {
    return Reader(layer, ids)
        .read(layer.xml.child(port_map_name(body).c_str()), layer.xml.child("back_edges"));
}

void write_port_map(const ops::BodyOp& op, std::size_t index,
                    const std::unordered_map<const Node*, std::size_t>& ids, pugi::xml_node layer) {
    const Graph& body = *op.bodies()[index];
    const ops::BodyPorts& ports = op.ports(index);
    const auto parameter = [&](std::size_t i) { return ids.at(body.parameters()[i].get()); };
    const auto result = [&](std::size_t i) { return ids.at(body.results()[i].get()); };
    pugi::xml_node map = add_element(layer, port_map_name(op.body_names()[index]).c_str());
    for (const auto& port : ports.inputs) {
        write_range(port.slice, add_mapped_port(map, "input", static_cast<std::int64_t>(port.input),
                                                parameter(port.parameter)));
    }
    for (const auto& port : ports.outputs) {
        const auto external = static_cast<std::int64_t>(op.input_count() + port.output);
        write_range(port.concat, add_mapped_port(map, "output", external, result(port.result)));
    }
    const auto* iterated = dynamic_cast<const ops::IteratedOp*>(&op);
    if (iterated == nullptr) return;
    if (const auto iteration = iterated->iteration_parameter()) {
        set(add_mapped_port(map, "input", -1, parameter(*iteration)), "purpose", kIteration);
    }
    if (const auto condition = iterated->condition_result()) {
        set(add_mapped_port(map, "output", -1, result(*condition)), "purpose", kCondition);
    }
    pugi::xml_node edges = add_element(layer, "back_edges");
    for (const auto& port : ports.inputs) {
        if (!port.back_edge) continue;
        pugi::xml_node edge = add_element(edges, "edge");
        set(edge, "from-layer", result(*port.back_edge));
        set(edge, "to-layer", parameter(port.parameter));
    }
}

}  // namespace rondo::ir
