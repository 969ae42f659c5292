// Checks and kinds of options that several subcommands have.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <vector>

namespace rondo::tool {

/// Whole numbers from `least` to `most`. CLI11 wraps negative numbers if the variable is unsigned,
/// so the text is checked.
CLI::Validator whole_number(long least, long most);

/// Numbers from `least` to `most`.
CLI::Validator number_from(double least, double most = std::numeric_limits<double>::infinity());

/// An option whose value is one of `choices`, which --help lists.
CLI::Option* add_choice(CLI::App& command, const std::string& names, std::string& value,
                        const std::string& description, const std::vector<std::string>& choices);

/// The command's model, as an argument alone or by the option of these names ("-m,--model"). Both,
/// neither, and "-" for the standard input are refused with a CLI::ParseError that is no other.
void add_model(CLI::App& command, const std::string& names, std::string& model);
/// The same for a command that takes several as arguments alone.
void add_models(CLI::App& command, const std::string& names, std::vector<std::string>& models);

/// An option that comes alone or before true or false (also yes, no, 1, 0), as benchmark_app's do.
CLI::Option* add_switch(CLI::App& command, const std::string& names, bool& value,
                        const std::string& description);

/// --keep-inputs: the property KEEP_INPUTS.
void add_keep_inputs(CLI::App& command, bool& value);

}  // namespace rondo::tool
