#include "core/runtime/cache/build_id.hpp"

#include <gtest/gtest.h>

namespace rondo::build_id_test {
namespace {

TEST(BuildId, IsHexadecimalAndStaysTheSame) {
    const std::string id = build_id();
    if (id.empty()) GTEST_SKIP() << "linked without a build id";
    EXPECT_GE(id.size(), 16u);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
    EXPECT_EQ(build_id(), id);
}

}  // namespace
}  // namespace rondo::build_id_test
