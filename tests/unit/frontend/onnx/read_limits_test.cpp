#include "frontend/onnx/read_limits.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::onnx::read_limits_test {
namespace {

using test::expect_error;

TEST(OnnxReadLimits, BoundTheDepth) {
    ReadLimits limits;
    EXPECT_EQ(limits.enter_body({1, 2, 3}, true).loops, 3u);
    EXPECT_EQ(limits.enter_body({1, 2, 3}, false).bodies, 2u);
    expect_error<UnsupportedError>(
        [&] {
            limits.enter_body({24, 0, 0}, false);
        },
        "bodies are nested too deep; the limit is 24 (property 'MAX_DEPTH')");
    expect_error<UnsupportedError>(
        [&] {
            limits.enter_body({6, 6, 0}, true);
        },
        "loops are nested too deep; the limit is 6 (property 'MAX_LOOP_DEPTH')");
    expect_error<UnsupportedError>(
        [&] {
            limits.count_inlined(1, {0, 0, 25});
        },
        "functions call each other too deep; the limit is 24 (property 'MAX_DEPTH')");
}

TEST(OnnxReadLimits, BoundTheWork) {
    ReadLimits limits;
    expect_error<UnsupportedError>(
        [&] {
            for (int i = 0; i < 200'000; ++i) limits.enter_body({}, true);
        },
        "loops in each other change too often; Rondo reads 100000 bodies");
    expect_error<UnsupportedError>(
        [&] {
            for (int i = 0; i < 600; ++i) limits.count_inlined(1000, {});
        },
        "too often: more than 500000 nodes; the limit is 500000 (property 'MAX_NODES')");
}

TEST(OnnxReadLimits, BoundTheTime) {
    ModelLimits limits;
    limits.compile_time = std::chrono::milliseconds(1);
    const ReadLimits reading(limits);
    const auto read_on = [&] {
        for (;;) reading.check_time("a");
    };
    expect_error<UnsupportedError>(read_on,
                                   "before node 'a': compiling takes too long, in ms: the limit is "
                                   "1 (property 'MAX_COMPILE_TIME')");
    limits.compile_time = std::chrono::milliseconds(0);
    EXPECT_NO_THROW(ReadLimits(limits).check_time("a"));
}

TEST(OnnxReadLimits, AreThoseOfTheUser) {
    ModelLimits own;
    own.depth = 3;
    own.loop_depth = 2;
    own.nodes = 10;
    ReadLimits limits(own);
    EXPECT_EQ(limits.enter_body({2, 1, 0}, true).loops, 2u);
    expect_error<UnsupportedError>([&] { limits.enter_body({3, 0, 0}, false); }, "the limit is 3");
    expect_error<UnsupportedError>([&] { limits.enter_body({2, 2, 0}, true); }, "the limit is 2");
    EXPECT_NO_THROW(limits.count_inlined(10, {0, 0, 3}));
    expect_error<UnsupportedError>([&] { limits.count_inlined(0, {0, 0, 4}); }, "the limit is 3");
    expect_error<UnsupportedError>([&] { limits.count_inlined(1, {}); }, "the limit is 10");
}

}  // namespace
}  // namespace rondo::onnx::read_limits_test
