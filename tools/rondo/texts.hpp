// Texts for people and machines: figures, types, JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rondo/model.hpp"

namespace rondo::tool {

/// As printf() writes it; at most 511 characters.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// "1.25 ms", or "18.3 us" below a millisecond.
std::string duration_text(double milliseconds);

/// "3.1 MB", "12 B".
std::string bytes_text(double bytes);

/// "1 layer", "2 layers"; `many` if another letter than an s makes the plural.
std::string counted(std::size_t count, const std::string& one, const std::string& many = "");

/// "f32[1,?,80]".
std::string typed_shape(ElementType type, const PartialShape& shape);
std::string typed_shape(const PortInfo& port);

/// Indented by 2. A model's names may hold any bytes, JSON only UTF-8: each byte that isn't becomes
/// U+FFFD.
std::string json_text(const nlohmann::json& value);

/// A text that XML can hold: control characters, and bytes that aren't UTF-8, become U+FFFD.
std::string xml_text(const std::string& text);

}  // namespace rondo::tool
