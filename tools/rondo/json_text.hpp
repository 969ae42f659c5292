// JSON for machines, as the command prints and stores it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace rondo::tool {

/// Indented by 2. A model's names may hold any bytes, JSON only UTF-8: each byte that isn't becomes
/// U+FFFD.
std::string json_text(const nlohmann::json& value);

}  // namespace rondo::tool
