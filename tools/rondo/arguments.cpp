#include "arguments.hpp"

#include <cctype>

namespace rondo::tool {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Names of options have no other characters, so that -b1 and -mx.xml are a letter and a value.
bool is_long_name(const std::string& name) {
    for (const char c : name) {
        if (!is_letter(c) && c != '_' && c != '-') return false;
    }
    return name.size() > 1;
}

// As our parser has it: "--name=value", "-nvalue".
std::string parsed_form(const std::string& argument) {
    const std::size_t begin = argument.starts_with("--") ? 2 : 1;
    if (argument.size() <= begin || argument[0] != '-' || !is_letter(argument[begin])) {
        return argument;
    }
    const std::string text = argument.substr(begin);
    const std::string name = text.substr(0, text.find('='));
    if (name.size() == 1) {
        const bool has_value = text.size() > 2;
        return "-" + name + (has_value ? text.substr(2) : "");
    }
    return is_long_name(name) ? "--" + text : argument;
}

}  // namespace

std::vector<std::string> with_double_dashes(const std::vector<std::string>& arguments) {
    std::vector<std::string> result;
    for (const auto& argument : arguments) result.push_back(parsed_form(argument));
    return result;
}

}  // namespace rondo::tool
