// A random transducer's greedy decoder: a loop that appends a token unless it is blank.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/random/model_maker.hpp"

namespace rondo::test {

/// Chooses a token for each of the frames [T,width], whose embedding steps a GRU. Returns the last
/// state and the tokens.
std::vector<Value> greedy_decoder(ModelMaker& maker, std::int64_t width, const Value& trips,
                                  const Value& frames);

}  // namespace rondo::test
