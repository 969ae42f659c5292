#include "options/help_format.hpp"

#include <sstream>
#include <utility>

namespace rondo::tool {
namespace {

constexpr std::size_t kNames = 34;
constexpr std::size_t kWidth = 100;

}  // namespace

HelpFormat::HelpFormat() { column_width(kNames); }

// CLI11 indents what follows a line's end.
std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
    std::istringstream words(option->get_description());
    std::string text;
    std::size_t width = 0;
    for (std::string word; words >> word;) {
        const bool fits = width + 1 + word.size() <= kWidth - kNames;
        if (!text.empty()) text += fits ? ' ' : '\n';
        width = fits && !text.empty() ? width + 1 + word.size() : word.size();
        text += word;
    }
    return text;
}

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
    const std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    return CLI::detail::find_and_replace(help, "\n\n\n", "\n\n");
}

}  // namespace rondo::tool
