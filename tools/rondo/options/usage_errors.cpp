#include "options/usage_errors.hpp"

#include <algorithm>
#include <cctype>

#include "arguments.hpp"
#include "rondo/nearest_name.hpp"

namespace rondo::tool {

namespace {

std::string with_underscores(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

// The command's own form; the typed one if the command has no such option.
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

namespace {

using Names = std::vector<std::string>;

bool is_option(const std::string& argument) { return argument.size() > 1 && argument[0] == '-'; }

// "--niter=3" -> "--niter".
std::string without_value(const std::string& argument) {
    return argument.substr(0, argument.find('='));
}

Names commands_of(const CLI::App& app) {
    Names names;
    for (const CLI::App* command : app.get_subcommands(nullptr))
        names.push_back(command->get_name());
    return names;
}

Names options_of(const CLI::App& command) {
    Names names;
    for (const CLI::Option* option : command.get_options()) {
        const auto& long_names = option->get_lnames();
        names.insert(names.end(), long_names.begin(), long_names.end());
    }
    return names;
}

std::string unknown_option(const CLI::App& command, const std::string& typed) {
    const std::string option = without_value(typed);
    const std::size_t dashes = option.find_first_not_of('-');
    const std::string text = "unknown option '" + option + "'";
    if (dashes == std::string::npos) return text;
    const std::string name = option.substr(dashes);
    const std::string refusal = command.get_name() == "benchmark" ? refusal_of(name) : "";
    if (!refusal.empty()) return "no option '" + option + "': " + refusal;
    const std::string nearest = nearest_name(name, options_of(command));
    if (nearest.empty()) return text;
    return text + "; did you mean '" + option.substr(0, dashes) + nearest + "'?";
}

// What no option took, in the order in which it was typed. CLI11 has it as it was parsed.
Names unexpected(const CLI::App& app, const Names& arguments) {
    const Names parsed = parsed_arguments(app, arguments);
    Names result = app.remaining(true);
    for (std::string& extra : result) {
        const auto at = std::find(parsed.begin(), parsed.end(), extra);
        if (at != parsed.end()) extra = arguments[static_cast<std::size_t>(at - parsed.begin())];
    }
    return result;
}

bool is_name_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

void replace_name(std::string& text, const std::string& name, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += by.size()) {
        const std::size_t end = at + name.size();
        const bool is_whole = (at == 0 || !is_name_letter(text[at - 1])) &&
                              (end == text.size() || !is_name_letter(text[end]));
        if (is_whole) text.replace(at, name.size(), by);
    }
}

// The option that an argument of the parser's form names; none for values.
const CLI::Option* option_of(const CLI::App& command, const std::string& parsed) {
    if (!is_option(parsed)) return nullptr;
    const bool is_long = parsed.starts_with("--");
    return command.get_option_no_throw(is_long ? without_value(parsed) : parsed.substr(0, 2));
}

// "-b" of "-b=1" and "-b1", "--b" of "--b=1".
std::string typed_name(const std::string& typed, const std::string& parsed) {
    if (parsed.starts_with("--")) return without_value(typed);
    return typed.substr(0, typed.find_first_not_of('-') + 1);
}

// The texts between quotes, joined by "and".
std::string quoted(const Names& values) {
    std::string text;
    for (const auto& value : values) text += (text.empty() ? "'" : " and '") + value + "'";
    return text;
}

// What CLI11 says of an option's values, in the words of other messages.
std::string plain_text(const CLI::App& command, const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    const std::size_t start = text.find("--");
    if (start == std::string::npos) return text;
    const std::string name = text.substr(start, text.find_first_of(": ", start) - start);
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option == nullptr) return text;
    if (error.get_name() == "ConversionError") {
        const std::string value = quoted({option->results().back()});
        return name + (option->get_expected_min() == 0 ? ": it takes no value; got " + value
                                                       : ": " + value + " is no value for it");
    }
    if (error.get_name() != "ArgumentMismatch") return text;
    if (text.ends_with(" missing")) return name + " needs a value";
    if (option->results().size() < 2) return text;
    return name + " is given more than once: " + quoted(option->results());
}

// With options as they were typed.
std::string parser_text(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error,
                        const Names& arguments) {
    std::string text = plain_text(command, error);
    const Names parsed = parsed_arguments(app, arguments);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const CLI::Option* option = option_of(command, parsed[i]);
        if (option == nullptr) continue;
        replace_name(text, option->get_name(), typed_name(arguments[i], parsed[i]));
    }
    return text;
}

// An unknown option explains most of what else is wrong.
std::string command_error(const CLI::App& app, const CLI::App& command,
                          const CLI::ParseError& error, const Names& arguments) {
    const Names extras = unexpected(app, arguments);
    const auto option = std::find_if(extras.begin(), extras.end(), is_option);
    if (option != extras.end()) return unknown_option(command, *option);
    const bool is_about_model = error.get_name() == "ParseError";  // from add_model()
    if (extras.empty() || is_about_model) return parser_text(app, command, error, arguments);
    return "unexpected argument '" + extras.front() + "'";
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const Names& arguments) {
    const std::string first = arguments.empty() ? "" : arguments.front();
    const Names commands = commands_of(app);
    if (std::find(commands.begin(), commands.end(), first) == commands.end()) {
        const std::string more = " (rondo --help says more)";
        if (is_option(first)) return unknown_option(app, first) + more;
        const std::string what =
            first.empty() ? "no command given" : "unknown command '" + first + "'";
        return what + "; " + known_names(first, commands) + more;
    }
    const CLI::App& command = *app.get_subcommand(first);
    return first + ": " + command_error(app, command, error, arguments) + " (rondo " + first +
           " --help says more)";
}

}  // namespace rondo::tool
