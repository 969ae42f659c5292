// What the command says of arguments that it can't read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace rondo::tool {

/// One argument for each that was typed: long options with two dashes, and their names with `-` and
/// `_` as --help has them: `-batch_axis` becomes `--batch-axis` if the command has that.
std::vector<std::string> parsed_arguments(const CLI::App& app,
                                          const std::vector<std::string>& typed);

/// `help` and `help COMMAND` as --help; others as they are, and an unknown command alone.
std::vector<std::string> without_help_word(const CLI::App& app,
                                           const std::vector<std::string>& typed);

/// One line: what is wrong with the arguments, which command, option or value was probably meant,
/// and where the options are listed. `arguments` are the user's own, whose form of
/// options (`-niter`) it keeps; other options have two dashes, as in --help.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                        const std::vector<std::string>& arguments);

}  // namespace rondo::tool
