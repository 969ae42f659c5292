// Tests a part of core/ops/movement/movement_ops.hpp.
#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::unsqueeze_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, const Ints& axes) {
    return inferred(*named<ops::Unsqueeze>(parameter(data), ints(axes)));
}

TEST(Unsqueeze, InsertsAxesWhereTheyStandInTheOutput) {
    EXPECT_EQ(shape_after("2,3", {0}), "f32[1,2,3]");
    EXPECT_EQ(shape_after("2,?", {1, 3}), "f32[2,1,?,1]");
    EXPECT_EQ(shape_after("2,3", {-1, 0}), "f32[1,2,3,1]");
    EXPECT_EQ(shape_after("", {0}), "f32[1]");
    EXPECT_EQ(shape_after("2", {}), "f32[2]");
    EXPECT_EQ(shape_after("...", {0}), "f32[...]");
    EXPECT_EQ(inferred(*named<ops::Unsqueeze>(parameter("3"), scalar_int(1))), "f32[3,1]");
}

TEST(Unsqueeze, KnowsTheRankFromTheNumberOfAxes) {
    EXPECT_EQ(inferred(*named<ops::Unsqueeze>(parameter("3"), unknown_ints("2"))), "f32[?,?,?]");
    EXPECT_EQ(inferred(*named<ops::Unsqueeze>(parameter("3"), unknown_ints("?"))), "f32[...]");
}

TEST(Unsqueeze, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("2", {2}); },
                             "node 'n' (Unsqueeze): axis 2 is out of range for rank 2");
    expect_error<ModelError>([] { shape_after("2", {0, -3}); }, "axes name axis 0 twice");
    expect_error<ModelError>([] { shape_after("2", {kLowest}); }, "is out of range");
    const auto lonely = unchecked<ops::Unsqueeze>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 2");
    expect_error<UnsupportedError>(
        [] { named<ops::Unsqueeze>(parameter("6"), unknown_ints("1000000")); },
        "axes has 1000000 elements");
}

TEST(Unsqueeze, CopiesTheElements) {
    const ops::Unsqueeze op;
    expect_moves_every_type(op, counting({2, 3}), {int_vector({1})});
    expect_same(evaluate_one(op, {counting({2, 3}), int_vector({1})}), counting({2, 1, 3}));
    expect_same(evaluate_one(op, {counting({}), int_scalar(0)}), counting({1}));
    EXPECT_EQ(ops::find_op("Unsqueeze", "opset13")->type, &ops::Unsqueeze::kType);
}

}  // namespace
}  // namespace rondo::unsqueeze_test
