#include "tests/support/emulated.hpp"

namespace rondo::test {

bool is_emulated() { return RONDO_EMULATED; }

}  // namespace rondo::test
