// Damages the bytes of a file in ways that readers may not expect.
#pragma once

#include <string>

#include "tests/support/rng.hpp"

namespace rondo::test {

/// `bytes` with one to three changes: flipped bits, extreme bytes, parts cut out, doubled or moved,
/// numbers in text made extreme, the end cut off. The same generator makes the same changes.
std::string mutated(std::string bytes, Rng& rng);

}  // namespace rondo::test
