#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::strided_slice_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

using Masks = ops::StridedSliceMasks;

std::string shape_after(std::string_view data, const Ints& begin, const Ints& end,
                        const Ints& strides, const Masks& masks = {}) {
    return inferred(
        *named<ops::StridedSlice>(parameter(data), ints(begin), ints(end), ints(strides), masks));
}

Tensor sliced(const Tensor& data, const Ints& begin, const Ints& end, const Ints& strides,
              const Masks& masks = {}) {
    const ops::StridedSlice op({}, masks);
    return evaluate_one(op, {data, int_vector(begin), int_vector(end), int_vector(strides)});
}

TEST(StridedSlice, ReadsAndWritesItsAttributes) {
    const Texts texts{{"begin_mask", "1, 0"},
                      {"end_mask", "0, 1"},
                      {"new_axis_mask", "0, 0"},
                      {"shrink_axis_mask", "1, 1"},
                      {"ellipsis_mask", "0"}};
    ops::StridedSlice op;
    read_attributes(op, {texts.begin(), texts.end()});
    EXPECT_EQ(attributes_of(op), texts);
    EXPECT_EQ(ops::find_op("StridedSlice", "opset13")->type, &ops::StridedSlice::kType);
}

TEST(StridedSlice, CutsTheFirstAxes) {
    EXPECT_EQ(shape_after("4,5", {1}, {3}, {1}), "f32[2,5]");
    EXPECT_EQ(shape_after("4,5", {0, 4}, {4, 0}, {2, -2}), "f32[2,2]");
    EXPECT_EQ(inferred(*named<ops::StridedSlice>(
                  std::vector<Output>{parameter("4,5"), ints({1}), ints({3})}, Masks{})),
              "f32[2,5]");
}

TEST(StridedSlice, IgnoresMaskedEnds) {
    EXPECT_EQ(shape_after("4,5", {2, 3}, {1, 4}, {1, 1}, {.begin = {1}}), "f32[1,1]");
    EXPECT_EQ(shape_after("4,5", {2, 3}, {1, 4}, {1, 1}, {.end = {1, 0}}), "f32[2,1]");
    EXPECT_EQ(shape_after("4", {0}, {0}, {-1}, {.begin = {1}, .end = {1}}), "f32[4]");
    EXPECT_EQ(shape_after("?", {0}, {0}, {-1}, {.begin = {1}, .end = {1}}), "f32[?]");
}

TEST(StridedSlice, RemovesAndInsertsAxes) {
    EXPECT_EQ(shape_after("4,5", {2}, {3}, {1}, {.shrink_axis = {1}}), "f32[5]");
    EXPECT_EQ(shape_after("4,5", {-1}, {0}, {1}, {.shrink_axis = {1}}), "f32[5]");
    EXPECT_EQ(shape_after("4,5", {0, 1}, {0, 2}, {1, 1}, {.new_axis = {1}}), "f32[1,1,5]");
    EXPECT_EQ(shape_after("4,5", {0}, {1}, {1}, {.new_axis = {1}, .shrink_axis = {1}}),
              "f32[1,4,5]");
    EXPECT_EQ(shape_after("4,5", {0}, {1}, {1}, {.new_axis = {0, 1}}), "f32[1,5]");
}

TEST(StridedSlice, LetsTheEllipsisStandForTheOtherAxes) {
    EXPECT_EQ(shape_after("4,5,6", {0, 1}, {0, 3}, {1, 1}, {.ellipsis = {1}}), "f32[4,5,2]");
    EXPECT_EQ(shape_after("4,5,6", {1, 0, 0}, {2, 0, 9}, {1, 1, 4}, {.ellipsis = {0, 1}}),
              "f32[1,5,2]");
    EXPECT_EQ(shape_after("4", {0, 1}, {0, 3}, {1, 1}, {.ellipsis = {1}}), "f32[2]");
    EXPECT_EQ(shape_after("4,5", {0, 0, 0}, {0, 0, 0}, {1, 1, 1},
                          {.new_axis = {1, 0, 1}, .ellipsis = {0, 1}}),
              "f32[1,4,5,1]");
}

TEST(StridedSlice, BoundsOpenExtents) {
    EXPECT_EQ(shape_after("?,5", {1}, {4}, {1}), "f32[..3,5]");
    EXPECT_EQ(shape_after("2..8,5", {-1}, {0}, {-1}, {.end = {1}}), "f32[2..8,5]");
    EXPECT_EQ(shape_after("...", {1}, {4}, {1}), "f32[...]");
}

TEST(StridedSlice, BoundsWhatUnknownNumbersLeave) {
    const auto open = [](const Output& begin, const Output& strides, const Masks& masks) {
        return inferred(
            *named<ops::StridedSlice>(parameter("4,5"), begin, ints({3}), strides, masks));
    };
    EXPECT_EQ(open(unknown_ints("1"), ints({2}), {}), "f32[..2,5]");
    EXPECT_EQ(open(unknown_ints("1"), ints({2}), {.begin = {1}}), "f32[2,5]");
    EXPECT_EQ(open(unknown_ints("1"), ints({1}), {.shrink_axis = {1}}), "f32[5]");
    EXPECT_EQ(open(ints({0}), unknown_ints("1"), {.begin = {1}, .end = {1}}), "f32[..4,5]");
    EXPECT_EQ(open(ints({0}), unknown_ints("1"), {.begin = {1}, .shrink_axis = {1}}), "f32[5]");
    EXPECT_EQ(inferred(*named<ops::StridedSlice>(parameter("4"), unknown_ints("?"),
                                                 unknown_ints("?"), unknown_ints("..."), Masks{})),
              "f32[...]");
}

TEST(StridedSlice, RefusesWrongInputs) {
    expect_error<ModelError>(
        [] {
            shape_after("4,5", {0, 0}, {1, 1}, {1, 0});
        },
        "node 'n' (StridedSlice): the stride of axis 1 is 0");
    expect_error<ModelError>(
        [] {
            shape_after("4", {0, 0}, {1, 1}, {1, 1});
        },
        "begin has elements for 2 axes, but data has shape [4]");
    expect_error<ModelError>(
        [] {
            shape_after("4,5", {0, 0}, {1, 1}, {1, 1}, {.ellipsis = {1, 1}});
        },
        "ellipsis_mask has 2 ones; expected at most 1");
    expect_error<ModelError>(
        [] {
            shape_after("4", {0}, {1, 1}, {1});
        },
        "end has 2 elements; expected 1 as the inputs before it");
    const auto lonely = unchecked<ops::StridedSlice>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 3 to 4");
    for (const std::int64_t index : {kLowest, std::int64_t{-5}, std::int64_t{4}, kHighest}) {
        expect_error<ModelError>(
            [&] { shape_after("4,5", {index}, {0}, {1}, {.shrink_axis = {1}}); },
            "index " + std::to_string(index) + " is out of range for axis 0 of data of shape");
    }
    expect_error<ModelError>(
        [] { shape_after("0", {7}, {0}, {1}, {.begin = {1}, .shrink_axis = {1}}); },
        "index 0 is out of range for axis 0");
}

TEST(StridedSlice, CopiesTheElements) {
    const auto data = counting({3, 4});
    expect_same(sliced(data, {1}, {3}, {1}), floats({2, 4}, {4, 5, 6, 7, 8, 9, 10, 11}));
    expect_same(sliced(data, {0, 0}, {0, -4}, {-1, -2}, {.begin = {1, 1}, .end = {1, 0}}),
                floats({3, 2}, {11, 9, 7, 5, 3, 1}));
    expect_same(sliced(data, {-1}, {0}, {1}, {.shrink_axis = {1}}), floats({4}, {8, 9, 10, 11}));
    expect_same(sliced(data, {0, 1}, {0, 2}, {1, 1}, {.shrink_axis = {0, 1}, .ellipsis = {1}}),
                floats({3}, {1, 5, 9}));
    expect_same(sliced(data, {1, 0, 2}, {2, 0, 4}, {1, 1, 1}, {.new_axis = {0, 1}}),
                floats({1, 1, 2}, {6, 7}));
    EXPECT_EQ(sliced(data, {2}, {1}, {1}).shape(), (Shape{0, 4}));
}

TEST(StridedSlice, ShrinksFromAMaskedBegin) {
    const auto data = counting({3, 2});
    const Masks masks{.begin = {1}, .shrink_axis = {1}};
    expect_same(sliced(data, {2}, {3}, {1}, masks), floats({2}, {0, 1}));  // as OpenVINO does
    expect_same(sliced(data, {2}, {0}, {-1}, masks), floats({2}, {0, 1}));
    const Masks both{.begin = {1}, .end = {1}, .shrink_axis = {1}};
    expect_same(sliced(counting({3, 4}), {2}, {4}, {-1}, both), floats({4}, {0, 1, 2, 3}));
}

TEST(StridedSlice, MovesEveryType) {
    const ops::StridedSlice op({}, {.shrink_axis = {0, 1}});
    expect_moves_every_type(op, counting({3, 4}),
                            {int_vector({-1, 1}), int_vector({-4, 0}), int_vector({-2, 1})});
}

}  // namespace
}  // namespace rondo::strided_slice_test
