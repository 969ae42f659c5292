#include "core/support/strings.hpp"

#include <algorithm>
#include <charconv>

namespace rondo {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <typename T>
bool parse_number(std::string_view text, T& value) {
    text = trim(text);
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string to_lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    if (trim(text).empty()) return parts;
    while (true) {
        const auto at = text.find(separator);
        parts.emplace_back(trim(text.substr(0, at)));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string result;
    for (const auto& part : parts) {
        if (!result.empty() || &part != &parts.front()) result += separator;
        result += part;
    }
    return result;
}

std::string counted(std::size_t count, std::string_view one) {
    return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

std::string quoted_list(const std::vector<std::string>& names) {
    constexpr std::size_t kMaxShown = 40;
    if (names.empty()) return "none";
    std::string result;
    for (std::size_t i = 0; i < std::min(names.size(), kMaxShown); ++i) {
        if (i > 0) result += ", ";
        result += "'" + names[i] + "'";
    }
    if (names.size() > kMaxShown) {
        result += ", ... (" + std::to_string(names.size() - kMaxShown) + " more)";
    }
    return result;
}

bool parse_int(std::string_view text, long long& value) { return parse_number(text, value); }

bool parse_double(std::string_view text, double& value) { return parse_number(text, value); }

}  // namespace rondo
