#include "frontend/onnx/messages/large_data.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <rondo_onnx.pb.h>

#include <array>

#include "core/graph/reloadable_tensor.hpp"
#include "core/support/narrow_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/messages/external_data.hpp"

namespace rondo::onnx {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using rondo_onnx::TensorProto;

// Messages that may hold large tensors.
enum class Message { none, model, graph, function, node, attribute, tensor };

struct MessageField {
    Message in;
    int number;
    Message message;
};

using rondo_onnx::AttributeProto, rondo_onnx::FunctionProto, rondo_onnx::GraphProto,
    rondo_onnx::ModelProto, rondo_onnx::NodeProto;

constexpr std::array kMessageFields = {
    MessageField{Message::model, ModelProto::kGraphFieldNumber, Message::graph},
    MessageField{Message::model, ModelProto::kFunctionsFieldNumber, Message::function},
    MessageField{Message::graph, GraphProto::kNodeFieldNumber, Message::node},
    MessageField{Message::graph, GraphProto::kInitializerFieldNumber, Message::tensor},
    MessageField{Message::function, FunctionProto::kNodeFieldNumber, Message::node},
    MessageField{Message::node, NodeProto::kAttributeFieldNumber, Message::attribute},
    MessageField{Message::attribute, AttributeProto::kTFieldNumber, Message::tensor},
    MessageField{Message::attribute, AttributeProto::kTensorsFieldNumber, Message::tensor},
    MessageField{Message::attribute, AttributeProto::kGFieldNumber, Message::graph},
    MessageField{Message::attribute, AttributeProto::kGraphsFieldNumber, Message::graph},
};

// Deeper parts stay as they are: each level copies what is below it.
constexpr int kDeepest = 24;

Message message_of(Message in, std::uint32_t tag) {
    if (WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        return Message::none;
    }
    for (const MessageField& field : kMessageFields) {
        if (field.in == in && field.number == WireFormatLite::GetTagFieldNumber(tag)) {
            return field.message;
        }
    }
    return Message::none;
}

void add_varint(std::uint64_t value, std::string& to) {
    for (; value > 0x7f; value >>= 7) to += static_cast<char>((value & 0x7f) | 0x80);
    to += static_cast<char>(value);
}

class Copier {
public:
    explicit Copier(const ModelSource& source)
        : bytes_(reinterpret_cast<const char*>(source.data)),
          in_(reinterpret_cast<const std::uint8_t*>(source.data), static_cast<int>(source.size)) {}

    // False if the bytes are no message.
    bool copy(Message message, int depth, std::string& to) {
        while (true) {
            const int start = in_.CurrentPosition();
            const std::uint32_t tag = in_.ReadTag();
            if (tag == 0) return in_.ConsumedEntireMessage();
            const Message part = depth < kDeepest ? message_of(message, tag) : Message::none;
            if (part == Message::none) {
                if (!WireFormatLite::SkipField(&in_, tag)) return false;
                append(start, to);
                continue;
            }
            std::string inner;
            if (!copy_part(part, depth + 1, inner)) return false;
            add_varint(tag, to);
            add_varint(inner.size(), to);
            to += inner;
        }
    }
    bool has_found_any() const { return found_; }

private:
    void append(int start, std::string& to) {
        to.append(bytes_ + start, static_cast<std::size_t>(in_.CurrentPosition() - start));
    }

    bool copy_part(Message part, int depth, std::string& to) {
        int size = 0;
        if (!in_.ReadVarintSizeAsInt(&size)) return false;
        const auto limit = in_.PushLimit(size);
        const int start = in_.CurrentPosition();
        const bool is_whole = part == Message::tensor ? copy_tensor(to) : copy(part, depth, to);
        // A limit that is cut off by the one around it.
        if (!is_whole || in_.CurrentPosition() - start != size) return false;
        in_.PopLimit(limit);
        return true;
    }

    bool copy_tensor(std::string& to) {
        const int first = in_.CurrentPosition();
        int data = 0, data_size = 0;
        while (true) {
            const int start = in_.CurrentPosition();
            const std::uint32_t tag = in_.ReadTag();
            if (tag == 0) break;
            const bool is_data =
                WireFormatLite::GetTagFieldNumber(tag) == TensorProto::kRawDataFieldNumber &&
                WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
            if (is_data && data_size == 0) {
                if (!in_.ReadVarintSizeAsInt(&data_size)) return false;
                data = in_.CurrentPosition();
                if (!in_.Skip(data_size)) return false;
            } else {
                if (!WireFormatLite::SkipField(&in_, tag)) return false;
                append(start, to);
            }
        }
        if (!in_.ConsumedEntireMessage()) return false;
        if (static_cast<std::size_t>(data_size) >= kWorthReleasing && refer(data, data_size, to)) {
            found_ = true;
        } else {
            to.clear();
            append(first, to);
        }
        return true;
    }

    // Only if reading the elements can't fail: messages of errors name raw_data. `to`: the
    // tensor without it.
    static bool refer(int data, int size, std::string& to) {
        TensorProto tensor;
        if (!tensor.ParseFromString(to) || !is_plain(tensor)) return false;
        if (bytes_of(tensor) != static_cast<std::size_t>(size)) return false;
        tensor.set_data_location(TensorProto::EXTERNAL);
        add_entry(tensor, "location", std::string(kOwnFile));
        add_entry(tensor, "offset", std::to_string(data));
        add_entry(tensor, "length", std::to_string(size));
        return tensor.SerializeToString(&to);
    }

    static void add_entry(TensorProto& tensor, const char* key, const std::string& value) {
        auto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }

    static bool is_plain(TensorProto tensor) {
        tensor.clear_name();
        tensor.clear_doc_string();
        tensor.clear_data_type();
        tensor.clear_dims();
        return tensor.ByteSizeLong() == 0;
    }

    // 0 if they aren't taken as they are, or can't be read.
    static std::size_t bytes_of(const TensorProto& tensor) {
        try {
            const ElementType type = element_type_from_onnx(tensor.data_type());
            if (is_narrow(type) || type == ElementType::boolean) return 0;
            return element_count(shape_of_dims(tensor.dims())) * size_of(type);
        } catch (const Error&) {
            return 0;
        }
    }

    const char* bytes_;
    CodedInputStream in_;
    bool found_ = false;
};

}  // namespace

std::string without_large_data(const ModelSource& source) {
    const Mapping* mapping = mapping_of(source.owner);
    const bool is_file = mapping != nullptr && mapping->data == source.data;
    if (source.size < kWorthReleasing || !is_file) return {};
    Copier copier(source);
    std::string message;
    if (!copier.copy(Message::model, 0, message) || !copier.has_found_any()) return {};
    return message;
}

bool has_references(const std::string& message) {
    return message.find(kOwnFile) != std::string::npos;
}

}  // namespace rondo::onnx
