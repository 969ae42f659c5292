// JSON for machines, as the command prints and stores it, and texts for XML.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace rondo::tool {

/// Indented by 2. A model's names may hold any bytes, JSON only UTF-8: each byte that isn't becomes
/// U+FFFD.
std::string json_text(const nlohmann::json& value);

/// A text that XML can hold: control characters, and bytes that aren't UTF-8, become U+FFFD.
std::string xml_text(const std::string& text);

}  // namespace rondo::tool
