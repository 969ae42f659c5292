// What two failures have in common if they are the same fault at another place.
#pragma once

#include <string>

namespace rondo::test {

/// The text of a failure without names, numbers and shapes: the kind of a difference or of an
/// error.
std::string failure_kind(const std::string& text);

}  // namespace rondo::test
