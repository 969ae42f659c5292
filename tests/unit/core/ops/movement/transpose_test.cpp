#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::transpose_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string shape_after(std::string_view data, const Ints& order) {
    return inferred(*named<ops::Transpose>(parameter(data), ints(order)));
}

Tensor transposed(const Tensor& data, const Ints& order) {
    return evaluate_one(ops::Transpose(), {data, int_vector(order)});
}

TEST(Transpose, TakesEachAxisFromItsPlaceInTheOrder) {
    EXPECT_EQ(shape_after("2,3,4", {2, 0, 1}), "f32[4,2,3]");
    EXPECT_EQ(shape_after("2,?,4..6", {1, 2, 0}), "f32[?,4..6,2]");
    EXPECT_EQ(shape_after("2,3,4", {-1, 0, -2}), "f32[4,2,3]");
    EXPECT_EQ(ops::find_op("Transpose", "opset13")->type, &ops::Transpose::kType);
}

TEST(Transpose, ReversesTheAxesWithoutAnOrder) {
    EXPECT_EQ(shape_after("2,3,?", {}), "f32[?,3,2]");
    EXPECT_EQ(shape_after("", {}), "f32[]");
}

TEST(Transpose, KnowsTheRankWithoutTheOrder) {
    EXPECT_EQ(inferred(*named<ops::Transpose>(parameter("2,3"), unknown_ints("2"))), "f32[?,?]");
    EXPECT_EQ(shape_after("...", {1, 0}), "f32[...]");
}

TEST(Transpose, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("2,3", {0}); },
                             "node 'n' (Transpose): order has 1 entries; expected 2");
    expect_error<ModelError>([] { shape_after("2,3", {0, -2}); }, "order names axis 0 twice");
    for (const std::int64_t axis : {kLowest, std::int64_t{-3}, std::int64_t{2}, kHighest}) {
        expect_error<ModelError>(
            [&] {
                shape_after("2,3", {0, axis});
            },
            "is out of range for rank 2");
    }
    const auto lonely = unchecked<ops::Transpose>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 2");
}

TEST(Transpose, MovesTheElements) {
    const auto data = counting({2, 3});
    expect_same(transposed(data, {1, 0}), floats({3, 2}, {0, 3, 1, 4, 2, 5}));
    expect_same(transposed(data, {0, 1}), data);
    expect_same(transposed(data, {}), transposed(data, {-1, -2}));
    expect_same(transposed(counting({2, 1, 3}), {2, 0, 1}), floats({3, 2, 1}, {0, 3, 1, 4, 2, 5}));
    expect_same(transposed(counting({}), {}), counting({}));
    EXPECT_EQ(transposed(counting({2, 0, 3}), {2, 0, 1}).shape(), (Shape{3, 2, 0}));
    expect_moves_every_type(ops::Transpose(), counting({2, 3, 2}), {int_vector({1, 2, 0})});
}

}  // namespace
}  // namespace rondo::transpose_test
