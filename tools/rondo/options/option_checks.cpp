#include "options/option_checks.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "rondo/nearest_name.hpp"
#include "texts.hpp"

namespace rondo::tool {

namespace {

constexpr const char* kModelFile = "An .onnx or .xml file";
constexpr const char* kSameModel = "The model as an option";

[[noreturn]] void refuse(const std::string& text) {
    throw CLI::ParseError(text, CLI::ExitCodes::ArgumentMismatch);
}

void check_model(const std::string& file, const std::string& before) {
    if (file.empty()) refuse("unexpected argument ''");
    if (file == "-") refuse("'-' is no file: a model can't come from the standard input");
    if (before.empty()) return;
    refuse("the model is given twice: '" + before + "' and '" + file + "'");
}

void check_given(bool is_given) {
    if (!is_given) refuse("no model is given; expected the name of its file");
}

}  // namespace

CLI::Validator whole_number(long least, long most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            char* end = nullptr;
            const long value = std::strtol(text.c_str(), &end, 10);
            const bool fits = !text.empty() && *end == '\0' && value >= least && value <= most;
            return fits ? std::string()
                        : "'" + text + "' is not a whole number from " + std::to_string(least) +
                              " to " + std::to_string(most);
        },
        "");
}

CLI::Validator number_from(double least, double most) {
    return CLI::Validator(
        [least, most](std::string& text) {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            if (!text.empty() && *end == '\0' && value >= least && value <= most) {
                return std::string();
            }
            return "'" + text + "' is not a number from " +
                   (std::isinf(most) ? formatted("%.10g on", least)
                                     : formatted("%.10g to %.10g", least, most));
        },
        "");
}

CLI::Option* add_choice(CLI::App& command, const std::string& names, std::string& value,
                        const std::string& description, const std::vector<std::string>& choices) {
    const auto check = [choices](std::string& text) {
        const bool known = std::find(choices.begin(), choices.end(), text) != choices.end();
        return known ? std::string() : "unknown '" + text + "'; " + known_names(text, choices);
    };
    return command.add_option(names, value, description)
        ->type_name("{" + CLI::detail::join(choices, ",") + "}")
        ->check(CLI::Validator(check, ""));
}

void add_model(CLI::App& command, const std::string& names, std::string& model) {
    const auto take = [&model](const std::string& file) {
        check_model(file, model);
        model = file;
    };
    command.add_option_function<std::string>("MODEL", take, kModelFile);
    command.add_option_function<std::string>(names, take, kSameModel);
    command.callback([&model] { check_given(!model.empty()); });
}

void add_models(CLI::App& command, const std::string& names, std::vector<std::string>& models) {
    const auto take_all = [&models](const std::vector<std::string>& files) {
        for (const auto& file : files) check_model(file, "");
        models = files;
    };
    const auto take = [&models](const std::string& file) {
        check_model(file, models.empty() ? "" : models.front());
        models = {file};
    };
    command.add_option_function<std::vector<std::string>>(
        "MODEL", take_all, std::string(kModelFile) + "; with --coverage several, and folders");
    command.add_option_function<std::string>(names, take, kSameModel);
    command.callback([&models] { check_given(!models.empty()); });
}

CLI::Option* add_switch(CLI::App& command, const std::string& names, bool& value,
                        const std::string& description) {
    const auto take = [&value](const std::string& text) {
        std::string lower = text;
        std::transform(lower.begin(), lower.end(), lower.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        value = lower != "false" && lower != "no" && lower != "0";
    };
    const auto is_truth = [](std::string& text) {
        const CLI::IsMember known({"", "true", "false", "yes", "no", "1", "0"}, CLI::ignore_case);
        return known(text).empty() ? std::string() : "'" + text + "' is neither true nor false";
    };
    return command.add_option_function<std::string>(names, take, description)
        ->expected(0, 1)
        ->type_name("{true,false}")
        ->check(CLI::Validator(is_truth, ""));
}

void add_keep_inputs(CLI::App& command, bool& value) {
    command.add_flag("--keep-inputs", value,
                     "ONNX: inputs that have initializers stay inputs, not constants");
}

}  // namespace rondo::tool
