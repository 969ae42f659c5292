#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::slice_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, const Ints& start, const Ints& stop,
                        const Ints& step, const Ints& axes) {
    return inferred(
        *named<ops::Slice>(parameter(data), ints(start), ints(stop), ints(step), ints(axes)));
}

Tensor sliced(const Tensor& data, const Ints& start, const Ints& stop, const Ints& step,
              const Ints& axes) {
    return evaluate_one(ops::Slice(), {data, int_vector(start), int_vector(stop), int_vector(step),
                                       int_vector(axes)});
}

TEST(Slice, CutsTheNamedAxes) {
    EXPECT_EQ(shape_after("4,5", {1}, {3}, {1}, {0}), "f32[2,5]");
    EXPECT_EQ(shape_after("4,5", {0, -1}, {kHighest, kLowest}, {2, -2}, {1, 0}), "f32[2,3]");
    EXPECT_EQ(shape_after("4,5", {9}, {10}, {1}, {-1}), "f32[4,0]");
    EXPECT_EQ(shape_after("4,5", {}, {}, {}, {}), "f32[4,5]");
}

TEST(Slice, CutsTheFirstAxesWithoutAxes) {
    const auto node =
        named<ops::Slice>(parameter("4,5,6"), ints({1, 2}), ints({3, 9}), ints({1, 1}));
    EXPECT_EQ(inferred(*node), "f32[2,3,6]");
    expect_same(evaluate_one(*node, {counting({2, 2, 1}), int_vector({1, 0}), int_vector({2, 1}),
                                     int_vector({1, 1})}),
                floats({1, 1, 1}, {2}));
}

TEST(Slice, BoundsOpenExtents) {
    EXPECT_EQ(shape_after("?,5", {1}, {4}, {1}, {0}), "f32[..3,5]");
    EXPECT_EQ(shape_after("?,5", {1}, {2147483647}, {1}, {0}), "f32[..2147483646,5]");
    EXPECT_EQ(shape_after("2..8,5", {-3}, {kHighest}, {1}, {0}), "f32[2..3,5]");
    EXPECT_EQ(shape_after("...", {1}, {4}, {1}, {0}), "f32[...]");
}

TEST(Slice, BoundsWhatUnknownNumbersLeave) {
    const auto open = [](const Output& start, const Output& axes) {
        return inferred(*named<ops::Slice>(parameter("4,5"), start, ints({3}), ints({2}), axes));
    };
    EXPECT_EQ(open(unknown_ints("1"), ints({0})), "f32[..2,5]");
    EXPECT_EQ(open(unknown_ints("?"), ints({1})), "f32[4,..3]");
    EXPECT_EQ(open(ints({0}), unknown_ints("1")), "f32[..4,..5]");
}

TEST(Slice, RefusesWrongInputs) {
    expect_error<ModelError>([] { shape_after("4,5", {0}, {1}, {0}, {1}); },
                             "node 'n' (Slice): the step of axis 1 is 0");
    expect_error<ModelError>(
        [] {
            shape_after("4,5", {0, 0}, {1, 1}, {1, 1}, {1, -1});
        },
        "axes name axis 1 twice");
    expect_error<ModelError>(
        [] {
            shape_after("4,5", {0, 0}, {1}, {1}, {1});
        },
        "stop has 1 element; expected 2 as the inputs before it");
    expect_error<ModelError>([] { shape_after("4,5", {0}, {1}, {1}, {2}); },
                             "axis 2 is out of range");
    expect_error<ModelError>(
        [] {
            shape_after("4", {0, 0}, {1, 1}, {1, 1}, {0, 1});
        },
        "got 2 slices for data of shape [4]");
    const auto lonely = unchecked<ops::Slice>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 4 to 5");
    EXPECT_EQ(ops::find_op("Slice", "opset13")->type, &ops::Slice::kType);
    EXPECT_EQ(ops::find_op("Slice", "opset7"), nullptr);
}

TEST(Slice, CopiesTheElements) {
    expect_same(sliced(counting({3, 4}), {1}, {3}, {1}, {1}), floats({3, 2}, {1, 2, 5, 6, 9, 10}));
    expect_same(sliced(counting({3, 4}), {-1, 0}, {kLowest, 4}, {-1, 3}, {0, 1}),
                floats({3, 2}, {8, 11, 4, 7, 0, 3}));
    expect_same(sliced(counting({3}), {2}, {kLowest}, {kLowest}, {0}), floats({1}, {2}));
    EXPECT_EQ(sliced(counting({3, 4}), {3}, {9}, {1}, {0}).shape(), (Shape{0, 4}));
    expect_moves_every_type(ops::Slice(), counting({3, 4}),
                            {int_vector({-1}), int_vector({0}), int_vector({-2}), int_vector({1})});
}

}  // namespace
}  // namespace rondo::slice_test
