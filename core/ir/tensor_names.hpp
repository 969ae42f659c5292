// A port's tensor names as one text: sorted, joined by commas, a comma inside written as "\,".
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace rondo::ir {

/// Throws ModelError for names that the format can't distinguish: a name ending in a backslash
/// before another name.
std::string join_tensor_names(const std::set<std::string>& names);

/// Blanks belong to the names; empty names are dropped.
std::set<std::string> split_tensor_names(std::string_view text);

}  // namespace rondo::ir
