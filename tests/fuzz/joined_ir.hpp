// An IR's two files as one input: the XML, and after its end the weights.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/encoding/xml_text.hpp"
#include "tests/support/files/encoded_text.hpp"

namespace rondo::test {

struct JoinedIr {
    std::string_view xml;
    std::string_view weights;
};

/// Everything is XML where it has no end.
inline JoinedIr split_ir(std::string_view bytes) {
    const ir::TextEncoding encoding = ir::encoding_of(bytes);
    const std::string end =
        encoding.unit == 1 ? "</net>" : encoded("</net>", {encoding.unit, encoding.big_endian});
    const std::size_t at = bytes.find(end);
    if (at == std::string_view::npos) return {bytes, {}};
    return {bytes.substr(0, at + end.size()), bytes.substr(at + end.size())};
}

/// True for what looks like an IR rather than an ONNX message.
inline bool is_ir(std::string_view bytes) {
    const ir::TextEncoding encoding = ir::encoding_of(bytes);
    return bytes.starts_with("<") || encoding.unit > 1 || encoding.mark > 0;
}

}  // namespace rondo::test
