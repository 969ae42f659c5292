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
class Walker {
public:
    explicit Walker(const ModelSource& source) : at_(source.data), left_(source.size) {}

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

std::optional<Field> known_field(Walker& walker) {
    const auto tag = walker.varint();
    if (!tag) return std::nullopt;
    for (const auto& field : kFields) {
        if (field.number == *tag >> 3 && field.wire == (*tag & 7)) return field;
    }
    return std::nullopt;
}

}  // namespace

// Writers put ir_version first, which few other files look like. Where it isn't first, the field
// that is must end where another begins, since its tag alone is an everyday letter.
bool can_read(const ModelSource& source) {
    Walker walker(source);
    const auto first = known_field(walker);
    if (!first) return false;
    const auto value = walker.varint();
    if (!value) return false;
    if (first->number == kIrVersion) return *value <= kNewestThinkableIrVersion;
    if (first->wire == kLength && !walker.skip(*value)) return false;
    return walker.done() || known_field(walker).has_value();
}

}  // namespace rondo::onnx
