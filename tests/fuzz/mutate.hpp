// Damages the bytes of a file in ways that readers may not expect.
#pragma once

#include <cstddef>
#include <string>

#include "tests/support/rng.hpp"

namespace rondo::test {

/// A number below `count`; 0 where that is 0.
std::size_t below(Rng& rng, std::size_t count);

/// An element of something that has a size and isn't empty.
template <typename Items>
decltype(auto) one_of(Items& items, Rng& rng) {
    return items[static_cast<decltype(items.size())>(
        below(rng, static_cast<std::size_t>(items.size())))];
}

/// `bytes` with one to three changes: flipped bits, extreme bytes, parts cut out, doubled or moved,
/// numbers in text made extreme, the end cut off. The same generator makes the same changes.
std::string mutated(std::string bytes, Rng& rng);

}  // namespace rondo::test
