#include "texts.hpp"

#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace rondo::tool {

std::string formatted(const char* format, ...) {
    char text[512];
    std::va_list values;
    va_start(values, format);
    std::vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

std::string duration_text(double milliseconds) {
    return milliseconds < 1.0 ? formatted("%.2f us", milliseconds * 1e3)
                              : formatted("%.2f ms", milliseconds);
}

std::string bytes_text(double bytes) {
    const char* units[] = {"B", "kB", "MB", "GB"};
    int unit = 0;
    for (; bytes >= 1000.0 && unit < 3; ++unit) bytes /= 1000.0;
    return formatted("%.*f %s", unit == 0 ? 0 : 1, bytes, units[unit]);
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
    const std::string& word = count == 1 ? one : many.empty() ? one + "s" : many;
    return std::to_string(count) + " " + word;
}

std::string typed_shape(ElementType type, const PartialShape& shape) {
    return std::string(to_string(type)) + to_string(shape);
}

std::string typed_shape(const PortInfo& port) { return typed_shape(port.element_type, port.shape); }

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
