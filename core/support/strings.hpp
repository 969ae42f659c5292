// Small helpers on text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// ASCII lower case.
std::string to_lower(std::string_view text);

/// True if both are equal except for the case of ASCII letters.
bool equals_ignoring_case(std::string_view a, std::string_view b);

/// Without blanks at both ends.
std::string_view trim(std::string_view text);

/// The parts between separators, trimmed; empty text has no parts.
std::vector<std::string> split(std::string_view text, char separator);

/// Parts with a separator between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// "1 input", "2 inputs".
std::string counted(std::size_t count, std::string_view one);

/// 'a', 'b' and 'c': the known names, for errors; at most 20, then "... (n more)".
std::string quoted_list(const std::vector<std::string>& names);

/// The whole text as a decimal integer; false if it isn't one or doesn't fit.
bool parse_int(std::string_view text, long long& value);

/// The whole text as a floating-point number in any locale; false if it isn't one.
bool parse_double(std::string_view text, double& value);

}  // namespace rondo
