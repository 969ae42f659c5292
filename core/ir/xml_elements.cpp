#include "core/ir/xml_elements.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>
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

// The bytes of the character that `text` starts with; 0 where that isn't UTF-8.
std::size_t utf8_size(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (text.size() < size) return 0;
    unsigned code = first & (0x7fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0u) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const bool is_short = code < (size == 4 ? 0x10000u : size == 3 ? 0x800u : 0x80u);
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    const bool is_known = first >= 0xc0 && first < 0xf8 && code <= 0x10ffff;
    return is_known && !is_short && !is_surrogate ? size : 0;
}

// pugixml would write them, but other readers refuse the whole file.
void check_characters(const char* name, const std::string& value) {
    const auto refuse = [&](const char* what, unsigned char byte, const char* why) {
        char code[8];
        std::snprintf(code, sizeof code, " 0x%02x", unsigned{byte});
        throw ModelError("attribute '" + std::string(name) + "' holds " + what + code + why);
    };
    const std::string_view text = value;
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool is_blank = byte == '\t' || byte == '\n' || byte == '\r';
        if (byte < 0x20 && !is_blank) refuse("the control character", byte, ", which XML can't");
        const std::size_t size = utf8_size(text.substr(i));
        if (size == 0) refuse("the byte", byte, ", which is not UTF-8");
        i += size;
    }
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
    check_characters(name, value);
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
    const WeightsRange range = weights.place(bytes, size, size_of(type));
    set(data, "offset", range.offset);
    set(data, "size", range.size);
    if (range.file > 0) set(data, "file", range.file);
}

}  // namespace rondo::ir
