#include "frontend/onnx/read_limits.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::onnx {
namespace {

using test::expect_error;

TEST(OnnxReadLimits, BoundTheDepth) {
    ReadLimits limits;
    EXPECT_EQ(limits.enter_body({1, 2, 3}, true).loops, 3);
    EXPECT_EQ(limits.enter_body({1, 2, 3}, false).bodies, 2);
    expect_error<UnsupportedError>(
        [&] {
            limits.enter_body({24, 0, 0}, false);
        },
        "bodies are nested too deep");
    expect_error<UnsupportedError>(
        [&] {
            limits.enter_body({6, 6, 0}, true);
        },
        "of which 6 may be loops");
    expect_error<UnsupportedError>(
        [&] {
            limits.count_inlined(1, {0, 0, 25});
        },
        "functions call each other too deep");
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
            for (int i = 0; i < 300; ++i) limits.count_inlined(1000, {});
        },
        "200000 nodes of functions");
}

}  // namespace
}  // namespace rondo::onnx
