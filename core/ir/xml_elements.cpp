#include "core/ir/xml_elements.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>
#include <tuple>

#include "core/graph/printer.hpp"
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

// The bytes of the character that `text` starts with; 0 if that isn't UTF-8.
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

namespace {

constexpr int kMaxDepth = 32;           // hostile files nest without end
constexpr const char* kNamed = "info";  // an element whose key is no XML name: <info name="a b">

bool is_xml_name(std::string_view text) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const auto is_more = [&](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
    };
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), is_more);
}

std::string key_of(pugi::xml_node element) {
    const pugi::xml_attribute name = element.attribute("name");
    return std::string_view(element.name()) == kNamed && name ? name.value() : element.name();
}

void collect(pugi::xml_node parent, const std::string& prefix, int depth, RtInfo& info) {
    if (depth > kMaxDepth) return;
    for (const pugi::xml_node element : parent.children()) {
        if (element.type() != pugi::node_element) continue;
        const std::string key = prefix + key_of(element);
        if (const auto value = element.attribute("value")) info[key] = value.value();
        collect(element, key + "/", depth + 1, info);
    }
}

pugi::xml_node find_or_add(pugi::xml_node parent, const std::string& key) {
    if (is_xml_name(key) && key != kNamed) {
        const pugi::xml_node found = parent.child(key.c_str());
        return found ? found : add_element(parent, key.c_str());
    }
    const pugi::xml_node found = parent.find_child_by_attribute(kNamed, "name", key.c_str());
    if (found) return found;
    pugi::xml_node added = add_element(parent, kNamed);
    set(added, "name", key);
    return added;
}

}  // namespace

RtInfo read_layer_rt_info(pugi::xml_node layer) {
    RtInfo info;
    for (const pugi::xml_node attribute : layer.child("rt_info").children("attribute")) {
        const std::string_view version = attribute.attribute("version").value();
        bool simple = version.empty() || version == "0";
        for (const auto& part : attribute.attributes()) {
            const std::string_view name = part.name();
            simple = simple && (name == "name" || name == "version" || name == "value");
        }
        const std::string name = attribute.attribute("name").value();
        if (simple && !name.empty()) info[name] = attribute.attribute("value").value();
    }
    return info;
}

void write_layer_rt_info(const RtInfo& info, pugi::xml_node layer) {
    if (info.empty()) return;
    pugi::xml_node list = add_element(layer, "rt_info");
    for (const auto& [name, value] : info) {
        pugi::xml_node attribute = add_element(list, "attribute");
        set(attribute, "name", name);
        set(attribute, "version", "0");
        if (!value.empty()) set(attribute, "value", value);
    }
}

RtInfo read_net_rt_info(pugi::xml_node net) {
    RtInfo info;
    collect(net.child("rt_info"), "", 1, info);
    return info;
}

void write_net_rt_info(const RtInfo& info, pugi::xml_node net) {
    pugi::xml_node root = add_element(net, "rt_info");
    for (const auto& [path, value] : info) {
        pugi::xml_node element = root;
        for (std::size_t from = 0; from <= path.size();) {
            const std::size_t end = std::min(path.find('/', from), path.size());
            element = find_or_add(element, path.substr(from, end - from));
            from = end + 1;
        }
        set(element, "value", value);
    }
}

std::string join_tensor_names(const std::set<std::string>& names) {
    std::string text;
    for (const auto& name : names) {
        if (name.empty()) continue;
        if (!text.empty()) {
            if (text.back() == '\\') {
                throw ModelError("tensor name '" + name +
                                 "' follows one that ends in a backslash, which the IR can't hold");
            }
            text += ',';
        }
        for (const char c : name) {
            if (c == ',') text += '\\';
            text += c;
        }
    }
    return text;
}

std::set<std::string> split_tensor_names(std::string_view text) {
    std::set<std::string> names;
    std::string name;
    const auto finish = [&] {
        if (!name.empty()) names.insert(std::move(name));
        name.clear();
    };
    for (const char c : text) {
        if (c != ',') {
            name += c;
        } else if (!name.empty() && name.back() == '\\') {
            name.back() = ',';
        } else {
            finish();
        }
    }
    finish();
    return names;
}

}  // namespace rondo::ir
