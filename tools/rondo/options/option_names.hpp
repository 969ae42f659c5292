// Arguments as the parser takes them, whichever way their options are spelled.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::tool {

/// One argument for each that was typed: long options with two dashes, and their names with `-` and
/// `_` as --help has them: `-batch_axis` becomes `--batch-axis` where the command has that.
std::vector<std::string> parsed_arguments(const CLI::App& app,
                                          const std::vector<std::string>& typed);

/// `help` and `help COMMAND` as --help; others as they are, and an unknown command alone.
std::vector<std::string> without_help_word(const CLI::App& app,
                                           const std::vector<std::string>& typed);

}  // namespace rondo::tool
