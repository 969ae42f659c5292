// The key of the cache entries that are fuzzed.
#pragma once

namespace rondo::test {

inline constexpr const char* kCacheKey = "a key\nof two lines\n";

}  // namespace rondo::test
