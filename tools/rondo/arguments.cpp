#include "arguments.hpp"

#include <cctype>

namespace rondo::tool {

std::vector<std::string> with_double_dashes(const std::vector<std::string>& arguments) {
    std::vector<std::string> result;
    for (const auto& argument : arguments) {
        const bool long_name = argument.size() > 2 && argument[0] == '-' &&
                               std::isalpha(static_cast<unsigned char>(argument[1])) != 0 &&
                               argument[2] != '=';
        result.push_back(long_name ? "-" + argument : argument);
    }
    return result;
}

}  // namespace rondo::tool
