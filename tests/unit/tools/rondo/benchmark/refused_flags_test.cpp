// Flags of benchmark_app that have no meaning here.
#include <gtest/gtest.h>

#include "tools/rondo/arguments.hpp"

namespace rondo::tool::refused_flags_test {
namespace {

TEST(RefusedFlags, HaveReasons) {
    EXPECT_NE(refusal_of("ip").find("the model's types"), std::string::npos);
    EXPECT_NE(refusal_of("extensions").find("-plugin NAME=FILE"), std::string::npos);
    EXPECT_EQ(refusal_of("niter"), "");
}

}  // namespace
}  // namespace rondo::tool::refused_flags_test
