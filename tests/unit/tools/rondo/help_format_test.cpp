#include "tools/rondo/help_format.hpp"

#include <sstream>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool {
namespace {

TEST_F(Command, HelpHasLinesOfAHundredColumns) {
    for (const char* command : {"benchmark", "compile", "run", "compare", "info"}) {
        const std::string help = rondo_command(std::string(command) + " --help").text;
        std::istringstream lines(help);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
        EXPECT_EQ(help.find("\n\n\n"), std::string::npos) << help;
    }
}

TEST_F(Command, HelpOfBenchmarkNamesValuesAndNoRanges) {
    const std::string help = rondo_command("benchmark --help").text;
    for (const char* part : {"--api,--api_type {sync,async}", "--pc,--perf_counts {true,false}",
                             "-t,--time FLOAT ", "with --hint none or no --hint"}) {
        EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
    }
    EXPECT_EQ(help.find(" in ["), std::string::npos) << help;
}

}  // namespace
}  // namespace rondo::tool
