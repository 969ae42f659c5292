#include <sstream>

#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool {
namespace {

TEST_F(Command, HelpHasAHundredColumns) {
    for (const std::string command : {"", "compile", "run", "benchmark", "compare", "info"}) {
        std::istringstream help(rondo_command(command + " --help").text);
        for (std::string line; std::getline(help, line);) {
            EXPECT_LE(line.size(), 100u) << line;
        }
    }
    const std::string wrapped = "which finds the\n" + std::string(34, ' ') + "pairs, or ";
    EXPECT_NE(rondo_command("compile --help").text.find(wrapped), std::string::npos)
        << rondo_command("compile --help").text;
}

}  // namespace
}  // namespace rondo::tool
