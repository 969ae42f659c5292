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

namespace {

constexpr const char* kNoExtensions =
    "there are no extensions; a device may come from a library: -plugin NAME=FILE";
constexpr const char* kNoGpu = "there are no GPU kernels to configure";
constexpr const char* kNoTypes =
    "inputs and outputs have the model's types; pictures' preprocessing isn't done";
constexpr const char* kNoPictures =
    "pictures' preprocessing isn't done; give values as the model takes them, in files: -i";
constexpr const char* kNoDeviceMemory = "the CPU has no memory of its own";

struct Refusal {
    const char* flag;
    const char* reason;
};

// keep-sorted
constexpr Refusal kRefusals[] = {
    {"c", kNoGpu},
    {"extensions", kNoExtensions},
    {"input_output_precision", kNoTypes},
    {"input_precision", kNoTypes},
    {"iop", kNoTypes},
    {"ip", kNoTypes},
    {"mean_values", kNoPictures},
    {"op", kNoTypes},
    {"output_precision", kNoTypes},
    {"path_to_cldnn_config", kNoGpu},
    {"scale_values", kNoPictures},
    {"use_device_mem", kNoDeviceMemory},
};

}  // namespace

std::string refusal_of(const std::string& flag) {
    for (const Refusal& refusal : kRefusals) {
        if (flag == refusal.flag) return refusal.reason;
    }
    return "";
}

}  // namespace rondo::tool
