// Writes protocol buffers' messages, of which ONNX files are made.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace rondo::ort {

/// The bytes of a message: fields in the order in which they were added. Source: "Encoding" in
/// protocol buffers' documentation.
class Message {
public:
    void add_int(int field, std::int64_t value) {
        add_key(field, 0);
        add_varint(static_cast<std::uint64_t>(value));
    }
    void add_float(int field, float value) {
        add_key(field, 5);
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);  // little-endian, as Rondo's platforms are
        bytes_.append(bytes, sizeof bytes);
    }
    void add_bytes(int field, std::string_view bytes) {
        add_key(field, 2);
        add_varint(bytes.size());
        bytes_.append(bytes);
    }
    void add(int field, const Message& part) { add_bytes(field, part.bytes_); }

    const std::string& bytes() const { return bytes_; }

private:
    void add_key(int field, unsigned wire_type) {
        add_varint(static_cast<std::uint64_t>(field) << 3 | wire_type);
    }
    void add_varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
        bytes_.push_back(static_cast<char>(value));
    }

    std::string bytes_;
};

}  // namespace rondo::ort
