// Changes an IR's XML element by element, and its weights.
#pragma once

#include <string>

#include "tests/support/rng.hpp"

namespace rondo::test {

/// A joined IR (see joined_ir.hpp) with one to three changes to elements, attributes, extents or
/// weights. Empty if the text isn't XML.
std::string mutated_ir(const std::string& bytes, Rng& rng);

}  // namespace rondo::test
