#include "frontend/onnx/messages/attributes.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <iterator>

#include "frontend/onnx/messages/message_lists.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

using rondo_onnx::AttributeProto;

struct TypeRow {
    AttributeProto::AttributeType type;
    const char* name;
    bool (*is_filled)(const AttributeProto&);
};

// Lite messages know no names of enumerators.
constexpr TypeRow kAttributeTypes[] = {
    {AttributeProto::FLOAT, "FLOAT", [](const AttributeProto& a) { return a.has_f(); }},
    {AttributeProto::INT, "INT", [](const AttributeProto& a) { return a.has_i(); }},
    {AttributeProto::STRING, "STRING", [](const AttributeProto& a) { return a.has_s(); }},
    {AttributeProto::TENSOR, "TENSOR", [](const AttributeProto& a) { return a.has_t(); }},
    {AttributeProto::GRAPH, "GRAPH", [](const AttributeProto& a) { return a.has_g(); }},
    {AttributeProto::SPARSE_TENSOR, "SPARSE_TENSOR",
     [](const AttributeProto& a) { return a.has_sparse_tensor(); }},
    {AttributeProto::FLOATS, "FLOATS", [](const AttributeProto& a) { return a.floats_size() > 0; }},
    {AttributeProto::INTS, "INTS", [](const AttributeProto& a) { return a.ints_size() > 0; }},
    {AttributeProto::STRINGS, "STRINGS",
     [](const AttributeProto& a) { return a.strings_size() > 0; }},
};

// The type; files of the first IR versions don't say it, so the filled field does.
int type_of(const AttributeProto& attribute) {
    if (attribute.type() != AttributeProto::UNDEFINED) return attribute.type();
    const auto* row = std::ranges::find_if(
        kAttributeTypes, [&](const TypeRow& one) { return one.is_filled(attribute); });
    return row == std::end(kAttributeTypes) ? AttributeProto::UNDEFINED : row->type;
}

std::string type_name(int type) {
    const auto* row = std::ranges::find(kAttributeTypes, type, &TypeRow::type);
    return row == std::end(kAttributeTypes) ? "of an unknown type" : row->name;
}

}  // namespace

Attributes::Attributes(const rondo_onnx::NodeProto& node) : node_(node) {
    std::set<std::string> names;
    for (const auto& attribute : node.attribute()) {
        if (!names.insert(attribute.name()).second) {
            throw ModelError("attribute '" + attribute.name() + "' is given twice");
        }
    }
}

const AttributeProto* Attributes::find(const std::string& name, int type) {
    const AttributeProto* at = find_attribute(node_.attribute(), name);
    if (at == nullptr) return nullptr;
    read_.insert(name);
    if (!at->ref_attr_name().empty()) {
        throw ModelError("attribute '" + name + "' refers to '" + at->ref_attr_name() +
                         "', an attribute of a function, but the node is in none");
    }
    if (type_of(*at) != type) {
        throw ModelError("attribute '" + name + "' is " + type_name(type_of(*at)) + "; expected " +
                         type_name(type));
    }
    return at;
}

std::optional<std::int64_t> Attributes::find_int(const std::string& name) {
    const auto* found = find(name, AttributeProto::INT);
    return found ? std::optional(found->i()) : std::nullopt;
}

std::optional<float> Attributes::find_float(const std::string& name) {
    const auto* found = find(name, AttributeProto::FLOAT);
    return found ? std::optional(found->f()) : std::nullopt;
}

std::optional<std::string> Attributes::find_string(const std::string& name) {
    const auto* found = find(name, AttributeProto::STRING);
    return found ? std::optional(found->s()) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> Attributes::find_ints(const std::string& name) {
    const auto* found = find(name, AttributeProto::INTS);
    if (!found) return std::nullopt;
    return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::optional<std::vector<float>> Attributes::find_floats(const std::string& name) {
    const auto* found = find(name, AttributeProto::FLOATS);
    if (!found) return std::nullopt;
    return std::vector<float>(found->floats().begin(), found->floats().end());
}

std::optional<std::vector<std::string>> Attributes::find_strings(const std::string& name) {
    const auto* found = find(name, AttributeProto::STRINGS);
    if (!found) return std::nullopt;
    return std::vector<std::string>(found->strings().begin(), found->strings().end());
}

const rondo_onnx::TensorProto* Attributes::find_tensor(const std::string& name) {
    const auto* found = find(name, AttributeProto::TENSOR);
    return found ? &found->t() : nullptr;
}

const rondo_onnx::SparseTensorProto* Attributes::find_sparse_tensor(const std::string& name) {
    const auto* found = find(name, AttributeProto::SPARSE_TENSOR);
    return found ? &found->sparse_tensor() : nullptr;
}

const rondo_onnx::GraphProto* Attributes::find_graph(const std::string& name) {
    const auto* found = find(name, AttributeProto::GRAPH);
    return found ? &found->g() : nullptr;
}

bool Attributes::flag(const std::string& name, bool default_value) {
    const std::int64_t value = find_int(name).value_or(default_value ? 1 : 0);
    if (value != 0 && value != 1) {
        throw ModelError("attribute '" + name + "' is " + std::to_string(value) +
                         "; expected 0 or 1");
    }
    return value == 1;
}

bool Attributes::has(const std::string& name) const {
    return find_attribute(node_.attribute(), name) != nullptr;
}

void Attributes::check_all_read() const {
    for (const auto& attribute : node_.attribute()) {
        if (read_.contains(attribute.name())) continue;
        throw UnsupportedError("attribute '" + attribute.name() +
                               "' is not known for this operator in this opset");
    }
}

}  // namespace rondo::onnx
