// Recognises ONNX models by their first bytes.
#include <array>
#include <cstdint>
#include <optional>

#include "frontend/onnx/onnx.hpp"

namespace rondo::onnx {
namespace {

// Wire format: https://protobuf.dev/programming-guides/encoding/
constexpr std::uint64_t kVarint = 0;
constexpr std::uint64_t kLength = 2;
constexpr std::uint64_t kIrVersion = 1;
constexpr std::uint64_t kNewestThinkableIrVersion = 1000;

struct Field {
    std::uint64_t number;
    std::uint64_t wire;
};

// ModelProto's fields.
constexpr std::array kFields = {
    Field{kIrVersion, kVarint}, Field{2, kLength},  Field{3, kLength},  Field{4, kLength},
    Field{5, kVarint},          Field{6, kLength},  Field{7, kLength},  Field{8, kLength},
    Field{14, kLength},         Field{20, kLength}, Field{25, kLength}, Field{26, kLength},
};

// Walks the outermost fields.
class FieldWalker {
public:
    explicit FieldWalker(const ModelSource& source) : at_(source.data), left_(source.size) {}

    bool done() const { return left_ == 0; }

    std::optional<std::uint64_t> varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && left_ > 0; shift += 7) {
            const auto byte = static_cast<std::uint64_t>(*at_);
            skip(1);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        return std::nullopt;
    }

    bool skip(std::uint64_t count) {
        if (count > left_) return false;
        at_ += count;
        left_ -= count;
        return true;
    }

private:
    const std::byte* at_;
    std::size_t left_;
};

std::optional<Field> known_field(FieldWalker& walker) {
    const auto tag = walker.varint();
    if (!tag) return std::nullopt;
    for (const auto& field : kFields) {
        if (field.number == *tag >> 3 && field.wire == (*tag & 7)) return field;
    }
    return std::nullopt;
}

// Reads one field; returns its number and, if it is a varint, its value.
bool walk_field(FieldWalker& walker, std::uint64_t& number, std::uint64_t& value) {
    const auto field = known_field(walker);
    const auto content = field ? walker.varint() : std::nullopt;
    if (!content) return false;
    number = field->number;
    value = *content;
    return field->wire == kVarint || walker.skip(*content);
}

}  // namespace

// Writers put ir_version first, and few other files start like that. If it isn't first, all fields
// must be a model's, since a tag alone may be an ordinary letter.
bool can_read(const ModelSource& source) {
    FieldWalker walker(source);
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    if (!walk_field(walker, number, value)) return false;
    if (number == kIrVersion) return value <= kNewestThinkableIrVersion;
    while (!walker.done()) {
        if (!walk_field(walker, number, value)) return false;
    }
    return true;
}

}  // namespace rondo::onnx
