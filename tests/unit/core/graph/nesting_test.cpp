// Tests a part of core/support/limits.hpp.
#include "core/support/limits.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace rondo::nesting_test {
namespace {

TEST(Nesting, NamesTheLimitThatIsPassed) {
    ModelLimits limits;
    limits.depth = 3;
    limits.loop_depth = 2;
    EXPECT_NO_THROW(check_nesting(3, 2, limits));
    test::expect_error<UnsupportedError>(
        [&] { check_nesting(4, 2, limits); },
        "bodies are nested too deep; the limit is 3 (property 'MAX_DEPTH')");
    test::expect_error<UnsupportedError>(
        [&] { check_nesting(3, 3, limits); },
        "loops are nested too deep; the limit is 2 (property 'MAX_LOOP_DEPTH')");
}

}  // namespace
}  // namespace rondo::nesting_test
