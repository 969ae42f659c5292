#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::tile_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string shape_after(std::string_view data, const Output& repeats) {
    return inferred(*named<ops::Tile>(parameter(data), repeats));
}

Tensor tiled(const Tensor& data, const Ints& repeats) {
    return evaluate_one(ops::Tile(), {data, int_vector(repeats)});
}

TEST(Tile, MultipliesTheExtents) {
    EXPECT_EQ(shape_after("2,3", ints({4, 1})), "f32[8,3]");
    EXPECT_EQ(shape_after("2,3", ints({0, 2})), "f32[0,6]");
    EXPECT_EQ(shape_after("?,2..3", ints({2, 3})), "f32[?,6..9]");
    EXPECT_EQ(shape_after("?", ints({0})), "f32[0]");
    EXPECT_EQ(shape_after("", ints({})), "f32[]");
}

TEST(Tile, MeetsTheLastAxes) {
    EXPECT_EQ(shape_after("2,3", ints({4})), "f32[2,12]");
    EXPECT_EQ(shape_after("3", ints({5, 4, 2})), "f32[5,4,6]");
    EXPECT_EQ(shape_after("", ints({2})), "f32[2]");
}

TEST(Tile, KnowsTheRankWithoutTheRepeats) {
    EXPECT_EQ(shape_after("2,3", unknown_ints("2")), "f32[?,?]");
    EXPECT_EQ(shape_after("2,0", unknown_ints("3")), "f32[?,?,?]");
    EXPECT_EQ(shape_after("2,3", unknown_ints("?")), "f32[...]");
    EXPECT_EQ(shape_after("...", ints({2})), "f32[...]");
}

TEST(Tile, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("2", ints({-1})); },
                             "node 'n' (Tile): repeats hold -1; expected 0 or more");
    expect_error<ModelError>([] { shape_after("...", ints({kLowest})); },
                             "repeats hold -9223372036854775808");
    expect_error<ModelError>([] { shape_after("2", ints({kHighest})); }, "has too many elements");
    expect_error<ModelError>([] { shape_after("2", parameter("1")); },
                             "repeats has type f32; expected integers");
    expect_error<ModelError>([] { unchecked<ops::Tile>({parameter("2")})->validate(); },
                             "got 1 input; expected 2");
}

TEST(Tile, RepeatsTheElements) {
    expect_same(tiled(counting({2, 2}), {2, 1}), floats({4, 2}, {0, 1, 2, 3, 0, 1, 2, 3}));
    expect_same(tiled(counting({2, 2}), {2}), floats({2, 4}, {0, 1, 0, 1, 2, 3, 2, 3}));
    expect_same(tiled(counting({2}), {2, 1, 2}), floats({2, 1, 4}, {0, 1, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(tiled(counting({2, 2}), {0, 3}).shape(), (Shape{0, 6}));
    expect_moves_every_type(ops::Tile(), counting({2, 3}), {int_vector({2, 2})});
}

}  // namespace
}  // namespace rondo::tile_test
