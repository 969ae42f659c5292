// How --help looks.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace rondo::tool {

/// Names in one column, descriptions in another, wrapped at 100 columns, and one blank line between
/// sections.
class HelpFormat : public CLI::Formatter {
public:
    HelpFormat();
    std::string make_option_desc(const CLI::Option* option) const override;
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
};

}  // namespace rondo::tool
