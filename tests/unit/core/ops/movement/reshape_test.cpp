#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::reshape_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, const Ints& pattern, bool special_zero = false) {
    return inferred(*named<ops::Reshape>(parameter(data), ints(pattern), special_zero));
}

void expect_refused(std::string_view data, const Ints& pattern, std::string_view message,
                    bool special_zero = false) {
    expect_error<ModelError>([&] { shape_after(data, pattern, special_zero); }, message);
}

TEST(Reshape, ReadsAndWritesItsAttributes) {
    ops::Reshape op;
    EXPECT_EQ(attributes_of(op), (Texts{{"special_zero", "false"}}));
    read_attributes(op, {{"special_zero", "true"}});
    EXPECT_TRUE(op.special_zero());
    EXPECT_EQ(ops::find_op("Reshape", "opset13")->type, &ops::Reshape::kType);
}

TEST(Reshape, TakesAKnownPattern) {
    EXPECT_EQ(shape_after("2,3", {3, 2}), "f32[3,2]");
    EXPECT_EQ(shape_after("1,1", {}), "f32[]");
    EXPECT_EQ(shape_after("2,3,4", {-1, 4}), "f32[6,4]");
    EXPECT_EQ(shape_after("0,3", {3, 0}), "f32[3,0]");
    EXPECT_EQ(shape_after("0,3", {-1, 3}), "f32[0,3]");
    EXPECT_EQ(shape_after("...", {2, -1}), "f32[2,?]");
}

TEST(Reshape, CopiesExtentsAtZeros) {
    EXPECT_EQ(shape_after("2,3,4", {0, -1}, true), "f32[2,12]");
    EXPECT_EQ(shape_after("?,3,4", {0, -1}, true), "f32[?,12]");
    EXPECT_EQ(shape_after("2..7,?,4", {0, 0, 2, 2}, true), "f32[2..7,?,2,2]");
    EXPECT_EQ(shape_after("...", {0, 3}, true), "f32[?,3]");
    EXPECT_EQ(shape_after("0,3", {0, -1}, true), "f32[0,3]");
    EXPECT_EQ(shape_after("0,3", {0, 7}, true), "f32[0,7]");
}

TEST(Reshape, FindsWhatIsLeftOfOpenExtents) {
    EXPECT_EQ(shape_after("?,4", {-1, 2}), "f32[?,2]");
    EXPECT_EQ(shape_after("2..5,4", {-1, 2}), "f32[4..10,2]");
    EXPECT_EQ(shape_after("2..5,1", {2, -1}), "f32[2,1..2]");
    EXPECT_EQ(shape_after("?,?", {-1}), "f32[?]");
    EXPECT_EQ(shape_after("1..,3", {-1}), "f32[3..]");
    EXPECT_EQ(shape_after("?,3", {4}), "f32[4]");
}

TEST(Reshape, TakesOneWhereZeroTimesAnythingFits) {
    EXPECT_EQ(shape_after("0,3", {0, -1}), "f32[0,1]");  // as OpenVINO does
    EXPECT_EQ(shape_after("?,3", {0, -1}), "f32[0,1]");
}

TEST(Reshape, KnowsTheRankOfAnUnknownPattern) {
    EXPECT_EQ(inferred(*named<ops::Reshape>(parameter("6"), unknown_ints("3"))), "f32[?,?,?]");
    EXPECT_EQ(inferred(*named<ops::Reshape>(parameter("6"), unknown_ints("?"))), "f32[...]");
    EXPECT_EQ(inferred(*named<ops::Reshape>(parameter("6"), unknown_ints("..."))), "f32[...]");
}

// Without knowing its elements: there are none.
TEST(Reshape, KnowsAnEmptyPattern) {
    EXPECT_EQ(inferred(*named<ops::Reshape>(parameter("1,1"), unknown_ints("0"))), "f32[]");
    for (const char* data : {"3", "0"}) {
        expect_error<ModelError>(
            [&] { named<ops::Reshape>(parameter(data), unknown_ints("0")); },
            "data of shape [" + std::string(data) + "] can't be reshaped to []");
    }
}

TEST(Reshape, RefusesPatternsThatDontFit) {
    expect_refused("2,3", {4, 2},
                   "node 'n' (Reshape): data of shape [2,3] can't be reshaped to [4,2]");
    expect_refused("2,3", {4, -1}, "data of shape [2,3] can't be reshaped to [4,-1]");
    expect_refused("2,3", {0, -1}, "can't be reshaped to [0,-1]");
    expect_refused("2,3", {0, 6}, "can't be reshaped to [0,6]");
    expect_refused("2,3", {0, 5}, "can't be reshaped to [2,5]", true);
    expect_refused("3..4,5", {7}, "data of shape [3..4,5] can't be reshaped to [7]");
    expect_refused("3..4,1", {-1, 5}, "can't be reshaped to [-1,5]");
    expect_refused("6", {2, 0}, "pattern has a 0 at place 1, but data has shape [6]", true);
    expect_refused("6", {-1, -1}, "pattern holds -1 more than once");
    expect_refused("6", {-2}, "pattern holds -2");
    expect_refused("6", {kLowest}, "pattern holds -9223372036854775808");
    expect_refused("6", {kHighest / 2, 3}, "has too many elements");
    expect_refused("6", {kHighest}, "has too many elements");
}

TEST(Reshape, RefusesWrongInputs) {
    const auto lonely = unchecked<ops::Reshape>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 2");
    expect_error<ModelError>([] { named<ops::Reshape>(parameter("6"), unknown_ints("1,2")); },
                             "pattern has shape [1,2]; expected a vector");
    expect_error<UnsupportedError>(
        [] { named<ops::Reshape>(parameter("6"), unknown_ints("1000000000000")); },
        "pattern has 1000000000000 elements; at most 1024 are supported");
}

TEST(Reshape, CopiesTheElements) {
    const ops::Reshape op;
    expect_moves_every_type(op, counting({2, 3}), {int_vector({3, -1})});
    expect_same(evaluate_one(op, {counting({2, 3}), int_vector({3, -1})}), counting({3, 2}));
    EXPECT_EQ(evaluate_one(op, {counting({0, 3}), int_vector({3, 0})}).shape(), (Shape{3, 0}));
    expect_same(evaluate_one(op, {counting({1}), tensor_of<std::int32_t>({0}, {})}), counting({}));
}

}  // namespace
}  // namespace rondo::reshape_test
