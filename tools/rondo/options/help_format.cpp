#include "options/help_format.hpp"

#include <sstream>

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

}  // namespace rondo::tool
