// Tests a part of transformations/recurrent/recognition/time_parts.hpp.
#include "transformations/recurrent/recognition/time_parts.hpp"

#include <gtest/gtest.h>

#include "core/ops/movement/movement_ops.hpp"
#include "tests/support/graph_builder.hpp"

namespace rondo::passes::taken_element_test {
namespace {

using Place = std::pair<std::size_t, std::size_t>;

std::optional<Place> place_of(const Output& value) {
    const auto element = taken_element(value);
    return element ? std::optional(Place(element->axis, element->index)) : std::nullopt;
}

std::optional<Place> gathered(const char* shape, const std::vector<std::int64_t>& indices) {
    test::GraphBuilder b;
    return place_of(b.make<ops::Gather>("", b.input("x", shape), b.ints(indices), b.ints({-2})));
}

TEST(TakenElement, IsThatOfAGather) {
    EXPECT_EQ(gathered("[?,4,3]", {2}), Place(1, 2));
    EXPECT_EQ(gathered("[?,4,3]", {-1}), Place(1, 3));
    EXPECT_FALSE(gathered("[?,4,3]", {1, 2}));
    EXPECT_FALSE(gathered("[4,?,3]", {0})) << "its place may count from an end that isn't known";
}

TEST(TakenElement, IsThatOfASplit) {
    test::GraphBuilder b;
    const Output x = b.input("x", "[?,4]");
    const auto single = b.make<ops::Split>("", x, b.constant(test::scalar_of<std::int64_t>(1)), 4);
    const auto pairs = b.make<ops::Split>("", x, b.constant(test::scalar_of<std::int64_t>(1)), 2);
    const auto uneven = b.make<ops::VariadicSplit>("", x, b.ints({-1}), b.ints({1, 3}));
    EXPECT_EQ(place_of(single->output(3)), Place(1, 3));
    EXPECT_FALSE(place_of(pairs->output(0)));
    EXPECT_EQ(place_of(uneven->output(0)), Place(1, 0));
    EXPECT_FALSE(place_of(uneven->output(1)));
    EXPECT_FALSE(place_of(x));
}

}  // namespace
}  // namespace rondo::passes::taken_element_test
