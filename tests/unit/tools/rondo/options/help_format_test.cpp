// How --help looks.
#include <sstream>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::help_format_test {
namespace {

TEST_F(Command, HelpHasAHundredColumns) {
    for (const std::string command : {"", "compile", "run", "benchmark", "compare", "info"}) {
        const std::string help = rondo_command(command + " --help").text;
        std::istringstream lines(help);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
        EXPECT_EQ(help.find("\n\n\n"), std::string::npos) << help;
    }
    const std::string wrapped = "which finds the\n" + std::string(34, ' ') + "pairs, or ";
    EXPECT_NE(rondo_command("compile --help").text.find(wrapped), std::string::npos)
        << rondo_command("compile --help").text;
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
}  // namespace rondo::tool::help_format_test
