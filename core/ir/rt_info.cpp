#include "core/ir/rt_info.hpp"

#include <algorithm>
#include <string_view>

#include "core/ir/xml_elements.hpp"

namespace rondo::ir {
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

}  // namespace rondo::ir
