#include "bindings/onnxruntime/src/host_attribute.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "bindings/onnxruntime/src/host_tensor.hpp"
#include "bindings/onnxruntime/src/onnx_fields.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

template <typename Element>
Element read_one(const Host& host, const OrtOpAttr* attribute, OrtOpAttrType type) {
    Element element{};
    std::size_t bytes = 0;
    host.check(host->ReadOpAttr(attribute, type, &element, sizeof element, &bytes));
    return element;
}

template <typename Element>
std::vector<Element> read_list(const Host& host, const OrtOpAttr* attribute, OrtOpAttrType type) {
    std::size_t bytes = 0;
    // The first call says the size; it is an error for a list that isn't empty.
    if (auto* status = host->ReadOpAttr(attribute, type, nullptr, 0, &bytes)) {
        host->ReleaseStatus(status);
    }
    std::vector<Element> elements(bytes / sizeof(Element));
    if (bytes > 0) {
        host.check(host->ReadOpAttr(attribute, type, elements.data(), bytes, &bytes));
    }
    return elements;
}

// A text that may hold zero bytes; one more follows it.
std::string read_text(const Host& host, const OrtOpAttr* attribute) {
    const auto bytes = read_list<char>(host, attribute, ORT_OP_ATTR_STRING);
    const bool has_end = !bytes.empty() && bytes.back() == '\0';
    return {bytes.data(), bytes.size() - (has_end ? 1 : 0)};
}

// Texts, each followed by a zero byte.
std::vector<std::string> read_texts(const Host& host, const OrtOpAttr* attribute) {
    const auto bytes = read_list<char>(host, attribute, ORT_OP_ATTR_STRINGS);
    std::vector<std::string> texts;
    for (std::size_t begin = 0; begin < bytes.size(); begin += texts.back().size() + 1) {
        texts.emplace_back(bytes.data() + begin);
    }
    return texts;
}

Message tensor_attribute(const Host& host, const OrtOpAttr* attribute) {
    auto* value = host.get<OrtValue*>(host->OpAttr_GetTensorAttributeAsOrtValue, attribute);
    const std::unique_ptr<OrtValue, decltype(host->ReleaseValue)> owner(value, host->ReleaseValue);
    const auto tensor = look_at(host, value);
    Message message = form_message(tensor, "");
    message.add_bytes(tensor_field::raw_data, {tensor.data, tensor.bytes});
    return message;
}

// Adds the value to the AttributeProto; returns its type, or 0 if it can't be read.
int add_value(Message& message, const Host& host, const OrtOpAttr* attribute, OrtOpAttrType type) {
    switch (type) {
        case ORT_OP_ATTR_INT:
            message.add_int(attribute_field::i, read_one<std::int64_t>(host, attribute, type));
            return attribute_type::integer;
        case ORT_OP_ATTR_FLOAT:
            message.add_float(attribute_field::f, read_one<float>(host, attribute, type));
            return attribute_type::real;
        case ORT_OP_ATTR_INTS:
            for (const auto element : read_list<std::int64_t>(host, attribute, type)) {
                message.add_int(attribute_field::ints, element);
            }
            return attribute_type::integers;
        case ORT_OP_ATTR_FLOATS:
            for (const auto element : read_list<float>(host, attribute, type)) {
                message.add_float(attribute_field::floats, element);
            }
            return attribute_type::reals;
        case ORT_OP_ATTR_STRING:
            message.add_bytes(attribute_field::s, read_text(host, attribute));
            return attribute_type::text;
        case ORT_OP_ATTR_STRINGS:
            for (const auto& element : read_texts(host, attribute)) {
                message.add_bytes(attribute_field::strings, element);
            }
            return attribute_type::texts;
        case ORT_OP_ATTR_TENSOR:
            message.add(attribute_field::t, tensor_attribute(host, attribute));
            return attribute_type::tensor;
        default: return 0;
    }
}

std::vector<const OrtOpAttr*> attributes_of(const Host& host, const OrtNode* node) {
    std::vector<const OrtOpAttr*> attributes(
        host.get<std::size_t>(host->Node_GetNumAttributes, node));
    if (attributes.empty()) return {};
    host.check(host->Node_GetAttributes(node, attributes.data(), attributes.size()));
    return attributes;
}

const OrtOpAttr* find_attribute(const Host& host, const OrtNode* node, const std::string& name,
                                OrtOpAttrType type) {
    for (const auto* attribute : attributes_of(host, node)) {
        if (host.get<const char*>(host->OpAttr_GetName, attribute) != name) continue;
        return host.get<OrtOpAttrType>(host->OpAttr_GetType, attribute) == type ? attribute
                                                                                : nullptr;
    }
    return nullptr;
}

}  // namespace

std::optional<std::string> text_attribute(const Host& host, const OrtNode* node,
                                          const std::string& name) {
    const auto* attribute = find_attribute(host, node, name, ORT_OP_ATTR_STRING);
    if (attribute == nullptr) return std::nullopt;
    return read_text(host, attribute);
}

std::optional<std::int64_t> int_attribute(const Host& host, const OrtNode* node,
                                          const std::string& name) {
    const auto* attribute = find_attribute(host, node, name, ORT_OP_ATTR_INT);
    if (attribute == nullptr) return std::nullopt;
    return read_one<std::int64_t>(host, attribute, ORT_OP_ATTR_INT);
}

std::vector<Message> attribute_messages(const Host& host, const OrtNode* node) {
    std::vector<Message> messages;
    for (const auto* attribute : attributes_of(host, node)) {
        const auto type = host.get<OrtOpAttrType>(host->OpAttr_GetType, attribute);
        if (type == ORT_OP_ATTR_GRAPH) continue;
        const char* name = host.get<const char*>(host->OpAttr_GetName, attribute);
        Message message;
        message.add_bytes(attribute_field::name, name);
        const int onnx_type = add_value(message, host, attribute, type);
        if (onnx_type == 0) {
            throw UnsupportedError("attribute '" + std::string(name) +
                                   "' is of a type that onnxruntime doesn't give to plugins");
        }
        message.add_int(attribute_field::type, onnx_type);
        messages.push_back(std::move(message));
    }
    return messages;
}

}  // namespace rondo::ort
