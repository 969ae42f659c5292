// Checks and kinds of options that several subcommands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace rondo::tool {

/// Whole numbers from `least` to `most`. CLI11 wraps negative numbers if the variable is unsigned,
/// so the text is checked.
CLI::Validator whole_number(long least, long most);

/// Numbers from 0 on.
CLI::Validator at_least_zero();

/// An option that stands alone or before true or false (also yes, no, 1, 0), as benchmark_app's do.
CLI::Option* add_switch(CLI::App& command, const std::string& names, bool& value,
                        const std::string& description);

}  // namespace rondo::tool
