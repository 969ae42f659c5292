// The limits that hold without any setting are those of the table in docs/properties.md.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/runtime/properties/property_values.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test::limit_defaults_test {
namespace {

// A row: the name, Python's name, the default, in bounds.
TEST(LimitDefaults, AreThoseOfTheDocument) {
    std::ifstream file(RONDO_SOURCE_DIR "/docs/properties.md");
    Properties documented;
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("| `MAX_", 0) != 0) continue;
        std::istringstream row(line);
        std::string bar, name, number;
        row >> bar >> name >> bar >> bar >> bar >> number;
        documented[name.substr(1, name.size() - 2)] = number.substr(0, number.find(','));
    }
    EXPECT_EQ(documented.size(), 9u);
    EXPECT_EQ(documented, limit_properties());
}

}  // namespace
}  // namespace rondo::test::limit_defaults_test
