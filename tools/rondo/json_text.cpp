#include "json_text.hpp"

#include <nlohmann/json.hpp>

namespace rondo::tool {

std::string json_text(const nlohmann::json& value) {
    return value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace rondo::tool
