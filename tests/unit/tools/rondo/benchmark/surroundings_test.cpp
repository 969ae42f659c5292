#include "tools/rondo/benchmark/surroundings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>

#include "tools/rondo/version.hpp"

namespace rondo::tool::surroundings_test {
namespace {

TEST(Surroundings, DatesHaveTheirZone) {
    EXPECT_TRUE(std::regex_match(
        date_text(0), std::regex("19(69|70)-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+-][0-9]{2}:[0-9]{2}")))
        << date_text(0);
}

TEST(Surroundings, NameWhatAReaderCompares) {
    for (const std::string device : {"CPU", "REFERENCE"}) {
        std::string names;
        std::map<std::string, std::string> values;
        for (const auto& [name, value] : surroundings(Core(), device)) {
            names += name + ";";
            values[name] = value;
            EXPECT_FALSE(value.empty()) << name;
        }
        EXPECT_EQ(names, "Date;Processor;Operating system;Rondo;Device;");
        EXPECT_EQ(values["Rondo"], version_and_commit());
        EXPECT_EQ(values["Device"].find(device), 0U) << values["Device"];
    }
}

TEST(Surroundings, ArgumentsAreQuotedWhereShellsReadThem) {
    EXPECT_EQ(shell_text({"benchmark", "-m", "a b.xml", "x[1,8]", "it's", ""}),
              "benchmark -m 'a b.xml' 'x[1,8]' 'it'\\''s' ''");
}

}  // namespace
}  // namespace rondo::tool::surroundings_test
