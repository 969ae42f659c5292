#include "json_text.hpp"

#include <nlohmann/json.hpp>

namespace rondo::tool {

std::string json_text(const nlohmann::json& value) {
    return value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string xml_text(const std::string& text) {
    constexpr const char* kReplacement = "\xef\xbf\xbd";
    std::string result;
    for (const char c : nlohmann::json::parse(json_text(text)).get<std::string>()) {
        const bool is_blank = c == '\t' || c == '\n' || c == '\r';
        if (static_cast<unsigned char>(c) < 0x20 && !is_blank) {
            result += kReplacement;
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace rondo::tool
