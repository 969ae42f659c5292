#include "option_checks.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace rondo::tool {

CLI::Validator whole_number(long least, long most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            char* end = nullptr;
            const long value = std::strtol(text.c_str(), &end, 10);
            const bool fits = !text.empty() && *end == '\0' && value >= least && value <= most;
            return fits ? std::string()
                        : "'" + text + "' is not a whole number from " + std::to_string(least) +
                              " to " + std::to_string(most);
        },
        "");
}

CLI::Validator at_least_zero() {
    return CLI::Validator(
        [](std::string& text) {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            const bool fits = !text.empty() && *end == '\0' && value >= 0;
            return fits ? std::string() : "'" + text + "' is not a number from 0 on";
        },
        "");
}

CLI::Option* add_switch(CLI::App& command, const std::string& names, bool& value,
                        const std::string& description) {
    const auto take = [&value](const std::string& text) {
        std::string lower = text;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        value = lower != "false" && lower != "no" && lower != "0";
    };
    const auto is_truth = [](std::string& text) {
        const CLI::IsMember known({"", "true", "false", "yes", "no", "1", "0"}, CLI::ignore_case);
        return known(text).empty() ? std::string() : "'" + text + "' is neither true nor false";
    };
    return command.add_option_function<std::string>(names, take, description)
        ->expected(0, 1)
        ->type_name("{true,false}")
        ->check(CLI::Validator(is_truth, ""));
}

}  // namespace rondo::tool
