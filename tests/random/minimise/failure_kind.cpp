#include "tests/random/minimise/failure_kind.hpp"

#include <regex>

namespace rondo::test {

std::string failure_kind(const std::string& text) {
    static const std::regex shape(R"(\[[^\]]*\])"), name(R"('\w+')");
    static const std::regex number(R"(-?\d+(\.\d+)?(e[-+]?\d+)?)");
    std::string kind = std::regex_replace(text, shape, "[]");
    kind = std::regex_replace(kind, name, "'name'");
    return std::regex_replace(kind, number, "0");
}

}  // namespace rondo::test
