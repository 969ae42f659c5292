#include "options/option_names.hpp"

#include <algorithm>

#include "arguments.hpp"

namespace rondo::tool {
namespace {

std::string with_underscores(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

// The command's own spelling; the typed one where the command has no such option.
std::string documented(const CLI::App& command, const std::string& typed) {
    const std::string wanted = with_underscores(typed);
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            if (with_underscores(name) == wanted) return name;
        }
    }
    return typed;
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        if (command->get_name() == name) return command;
    }
    return nullptr;
}

}  // namespace

std::vector<std::string> parsed_arguments(const CLI::App& app,
                                          const std::vector<std::string>& typed) {
    std::vector<std::string> arguments = with_double_dashes(typed);
    const CLI::App* command = arguments.empty() ? nullptr : command_named(app, arguments[0]);
    if (command == nullptr) return arguments;
    for (std::string& argument : arguments) {
        if (!argument.starts_with("--")) continue;
        const std::size_t end = std::min(argument.find('='), argument.size());
        const std::string name = documented(*command, argument.substr(2, end - 2));
        argument = "--" + name + argument.substr(end);
    }
    return arguments;
}

std::vector<std::string> without_help_word(const CLI::App& app,
                                           const std::vector<std::string>& typed) {
    if (typed.empty() || typed[0] != "help") return typed;
    if (typed.size() == 1) return {"--help"};
    if (command_named(app, typed[1]) == nullptr) return {typed[1]};
    return {typed[1], "--help"};
}

}  // namespace rondo::tool
