// What the backend says of itself, and that it leaves nothing when it ends.
#include <gtest/gtest.h>

#include "tests/unit/bindings/triton/models.hpp"

namespace rondo::test::triton::backend_test {
namespace {

TEST(TritonBackend, PrefersOneInstanceOnCpus) {
    StubServer::get();
    const auto [kind, count] = StubServer::preferred_group();
    EXPECT_EQ(kind, TRITONSERVER_INSTANCEGROUPKIND_CPU);
    EXPECT_EQ(count, 1u);
}

TEST(TritonBackend, LeavesNothing) {
    StubServer::get();
    const long long before = StubServer::live_objects();
    {
        const auto folder = ModelFolder::with_detector();
        StubModel model("leaves_nothing", folder.path(), {config_with({{"stateful", "auto"}})});
        ASSERT_EQ(model.error(), "");
        EXPECT_GT(StubServer::live_objects(), before);  // its metrics
        model.infer(step_of(std::uint64_t{1}, frames(2, 1), kStart));
        model.infer(step_of(std::uint64_t{2}, frames(2, 1)));  // an error
    }
    EXPECT_EQ(StubServer::live_objects(), before);
}

TEST(TritonBackend, SendsTheLogToTheServer) {
    const auto folder = ModelFolder::with_detector();
    const StubModel model("log", folder.path(), {config_with({})});
    ASSERT_EQ(model.error(), "");
    // A hint for models whose states are inputs and outputs.
    EXPECT_NE(StubServer::log().find("'h' and 'h_out' look like a state"), std::string::npos);
}

}  // namespace
}  // namespace rondo::test::triton::backend_test
