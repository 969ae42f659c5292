// Tests a part of core/support/process.hpp.
#include "core/support/process.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace rondo::env_test {
namespace {

constexpr const char* kName = "RONDO_ENV_TEST";

class Env : public testing::Test {
protected:
    ~Env() override { unsetenv(kName); }
};

TEST_F(Env, ReadsWhatIsSet) {
    setenv(kName, " a b ", 1);
    EXPECT_EQ(env(kName), " a b ");
    setenv(kName, "0", 1);
    EXPECT_EQ(env(kName), "0");
}

TEST_F(Env, HasNothingWhereUnsetOrEmpty) {
    unsetenv(kName);
    EXPECT_EQ(env(kName), std::nullopt);
    setenv(kName, "", 1);
    EXPECT_EQ(env(kName), std::nullopt);
}

}  // namespace
}  // namespace rondo::env_test
