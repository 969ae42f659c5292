// An IR's two files as one input: the XML, and behind its end the weights.
#pragma once

#include <string>
#include <string_view>

namespace rondo::test {

struct JoinedIr {
    std::string_view xml;
    std::string_view weights;
};

/// Everything is XML where it has no end.
inline JoinedIr split_ir(std::string_view bytes) {
    constexpr std::string_view kEnd = "</net>";
    const std::size_t at = bytes.find(kEnd);
    if (at == std::string_view::npos) return {bytes, {}};
    return {bytes.substr(0, at + kEnd.size()), bytes.substr(at + kEnd.size())};
}

/// True for what looks like an IR rather than an ONNX message.
inline bool is_ir(std::string_view bytes) { return bytes.starts_with("<"); }

}  // namespace rondo::test
