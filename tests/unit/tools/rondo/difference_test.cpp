#include "tools/rondo/difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::tool::difference_test {
namespace {

using test::tensor_of;

TEST(Difference, SaysHowFarAndWhere) {
    CompareOptions options;
    options.atol = 0.1;
    options.rtol = 0;
    const auto got = tensor_of<float>({2, 2}, {1, 2, 3, 9});
    const Difference d =
        difference("x", got, tensor_of<float>({2, 2}, {1, 2.5F, 3.01F, 4}), options);
    EXPECT_EQ(d.count, 4u);
    EXPECT_EQ(d.past_tolerance, 2u);
    EXPECT_EQ(d.largest, 3u);
    EXPECT_EQ(d.first, 1u);
    EXPECT_NE(to_text(d).find("[2,2]: max abs error 5 at [1,1], "), std::string::npos);
    EXPECT_NE(to_text(d).find("2 of 4 past the tolerance, first at [0,1]: got 2, expected 2.5"),
              std::string::npos)
        << to_text(d);
    EXPECT_EQ(to_json(d).at("largest"), "[1,1]");
    EXPECT_EQ(to_json(difference("x", got, got, options)).count("largest"), 0u);
}

TEST(Difference, CountsANanOnOneSide) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto with = tensor_of<float>({2}, {1, nan});
    EXPECT_EQ(difference("x", with, with, {}).past_tolerance, 0u);
    EXPECT_EQ(difference("x", with, tensor_of<float>({2}, {1, 1}), {}).largest, 1u);
    const Difference first =
        difference("x", tensor_of<float>({3}, {nan, 1, 3}), tensor_of<float>({3}, {1, 1, 1}), {});
    EXPECT_TRUE(std::isnan(first.max_abs) && std::isnan(first.max_rel));
    EXPECT_EQ(first.largest, 0u);
    EXPECT_EQ(first.past_tolerance, 2u);
}

TEST(Difference, NothingIsNearAnInfinity) {
    const float infinity = std::numeric_limits<float>::infinity();
    const auto past = [](float got, float expected) {
        return difference("x", tensor_of<float>({1}, {got}), tensor_of<float>({1}, {expected}), {})
            .past_tolerance;
    };
    EXPECT_EQ(past(infinity, infinity), 0u);
    EXPECT_EQ(past(1, infinity), 1u);
    EXPECT_EQ(past(infinity, 1), 1u);
    EXPECT_EQ(past(-infinity, infinity), 1u);
}

TEST(Difference, RefusesUnlikeTensors) {
    test::expect_error<ModelError>(
        [] {
            difference("output 'y'", tensor_of<float>({1}, {1}), tensor_of<float>({2}, {1, 2}), {});
        },
        "output 'y': got f32[1]; the reference has f32[2]");
}

}  // namespace
}  // namespace rondo::tool::difference_test
