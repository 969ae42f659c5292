// Random elementwise nodes in a row, as they come after products and before reductions.
#pragma once

#include "tests/random/model_maker.hpp"

namespace rondo::test {

/// Up to `most` nodes, each of which reads the one before: functions, arithmetic with the same
/// shape, a row, a column or a scalar, selects. The last value, of x's shape, which may be x.
Value elementwise_chain(ModelMaker& maker, Value x, std::int64_t most);

}  // namespace rondo::test
