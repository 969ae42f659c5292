#include "core/ir/xml_elements.hpp"

#include <algorithm>
#include <new>
#include <tuple>

#include "core/graph/printer.hpp"
#include "core/ir/tensor_names.hpp"
#include "core/support/narrow_type.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

// What ports call a type: "FP32", "I64", "BOOL".
std::string precision_name(ElementType type) {
    switch (type) {
        case ElementType::dynamic: return "UNSPECIFIED";
        case ElementType::boolean: return "BOOL";
        case ElementType::f64: return "FP64";
        case ElementType::f32: return "FP32";
        case ElementType::f16: return "FP16";
        default: break;
    }
    std::string name(to_string(type));
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
}

void need(bool there) {
    if (!there) throw std::bad_alloc();
}

pugi::xml_attribute add_attribute(pugi::xml_node element, const char* name) {
    const pugi::xml_attribute attribute = element.append_attribute(name);
    need(!attribute.empty() && *attribute.name() != '\0');
    return attribute;
}

// "1, 8, 3": constants' shapes have blanks, unlike all others.
std::string constant_shape_text(const Shape& shape) {
    std::vector<std::string> extents;
    for (const std::size_t extent : shape) extents.push_back(std::to_string(extent));
    return join(extents, ", ");
}

}  // namespace

pugi::xml_node add_element(pugi::xml_node parent, const char* name) {
    const pugi::xml_node element = parent.append_child(name);
    need(!element.empty() && (*name == '\0' || *element.name() != '\0'));
    return element;
}

void set(pugi::xml_node element, const char* name, const std::string& value) {
    if (value.find('\0') != std::string::npos) {
        throw ModelError("attribute '" + std::string(name) +
                         "' holds a NUL character, which XML can't");
    }
    need(add_attribute(element, name).set_value(value.c_str()));
}

void set(pugi::xml_node element, const char* name, std::size_t value) {
    need(add_attribute(element, name).set_value(static_cast<unsigned long long>(value)));
}

void set(pugi::xml_node element, const char* name, std::int64_t value) {
    need(add_attribute(element, name).set_value(static_cast<long long>(value)));
}

pugi::xml_node add_port(pugi::xml_node list, std::size_t id, const Port& port) {
    pugi::xml_node xml = add_element(list, "port");
    set(xml, "id", id);
    set(xml, "precision", precision_name(port.type));
    if (!port.shape.has_rank()) return xml;
    for (const auto& dimension : port.shape.dimensions()) {
        const std::int64_t extent = dimension.is_static() ? dimension.min() : -1;
        need(add_element(xml, "dim").text().set(static_cast<long long>(extent)));
    }
    return xml;
}

void add_output_port(pugi::xml_node list, std::size_t id, const Output& output) {
    pugi::xml_node xml = add_port(list, id, {output.element_type(), output.shape()});
    const std::string names = join_tensor_names(output.names());
    if (!names.empty()) set(xml, "names", names);
}

void write_edges(std::vector<Edge> edges, pugi::xml_node net) {
    const auto key = [](const Edge& edge) {
        return std::tie(edge.from_layer, edge.from_port, edge.to_layer, edge.to_port);
    };
    std::sort(edges.begin(), edges.end(),
              [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
    pugi::xml_node list = add_element(net, "edges");
    for (const auto& edge : edges) {
        pugi::xml_node xml = add_element(list, "edge");
        set(xml, "from-layer", edge.from_layer);
        set(xml, "from-port", edge.from_port);
        set(xml, "to-layer", edge.to_layer);
        set(xml, "to-port", edge.to_port);
    }
}

void write_attributes(const Node& node, pugi::xml_node layer) {
    const auto attributes = attributes_of(node);
    if (attributes.empty()) return;
    pugi::xml_node data = add_element(layer, "data");
    for (const auto& [name, value] : attributes) set(data, name.c_str(), value);
}

void write_result_names(const Output& result, pugi::xml_node layer) {
    const std::string names = join_tensor_names(result.names());
    if (!names.empty()) set(layer, "output_names", names);
}

void write_constant(const Tensor& value, WeightsWriter& weights, pugi::xml_node layer) {
    const Tensor dense = value.contiguous();
    const ElementType type = dense.element_type();
    std::vector<std::uint8_t> packed;
    if (is_narrow(type)) {
        packed.resize(packed_bytes(type, dense.size()));
        pack(type, {static_cast<const std::uint8_t*>(dense.data()), dense.size()}, packed.data());
    }
    const std::size_t size = is_narrow(type) ? packed.size() : dense.byte_size();
    const void* bytes = is_narrow(type) ? packed.data() : dense.data();
    pugi::xml_node data = add_element(layer, "data");
    set(data, "element_type", std::string(to_string(type)));
    set(data, "shape", constant_shape_text(dense.shape()));
    set(data, "offset", weights.add(bytes, size, size_of(type)));
    set(data, "size", size);
}

}  // namespace rondo::ir
