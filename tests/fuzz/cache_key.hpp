// The key of the cache entries that are fuzzed, and the model whose files they may name.
#pragma once

#include <string>

#include "tests/support/source_dir.hpp"

namespace rondo::test {

inline constexpr const char* kCacheKey = "a key\nof two lines\n";

inline const std::string kCachedModel = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";

}  // namespace rondo::test
