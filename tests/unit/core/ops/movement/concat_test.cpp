#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::concat_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(const std::vector<std::string>& shapes, std::int64_t axis) {
    std::vector<Output> inputs;
    for (const auto& shape : shapes) inputs.push_back(parameter(shape));
    return inferred(*named<ops::Concat>(inputs, axis));
}

Tensor joined(const std::vector<Tensor>& inputs, std::int64_t axis) {
    return evaluate_one(ops::Concat({}, axis), inputs);
}

TEST(Concat, ReadsAndWritesItsAttributes) {
    ops::Concat op;
    read_attributes(op, {{"axis", "-2"}});
    EXPECT_EQ(attributes_of(op), (Texts{{"axis", "-2"}}));
    EXPECT_EQ(ops::find_op("Concat", "opset13")->type, &ops::Concat::kType);
}

TEST(Concat, AddsTheExtentsOfTheAxis) {
    EXPECT_EQ(shape_after({"2,3"}, 0), "f32[2,3]");
    EXPECT_EQ(shape_after({"2,3", "5,3", "0,3"}, 0), "f32[7,3]");
    EXPECT_EQ(shape_after({"2,3", "2,4"}, -1), "f32[2,7]");
}

TEST(Concat, AddsIntervalsAndMergesTheOtherExtents) {
    EXPECT_EQ(shape_after({"2..3,?", "4,5"}, 0), "f32[6..7,5]");
    EXPECT_EQ(shape_after({"?,2..4", "4,3.."}, 0), "f32[4..,3..4]");
    EXPECT_EQ(shape_after({"1..9,3", "...", "4,3"}, 0), "f32[5..,3]");
    EXPECT_EQ(shape_after({"...", "..."}, 3), "f32[...]");
}

TEST(Concat, RefusesWrongInputs) {
    const auto none = unchecked<ops::Concat>({});
    expect_error<ModelError>([&] { none->validate(); },
                             "node 'n' (Concat): got no inputs; expected 1 or more");
    expect_error<ModelError>(
        [] {
            shape_after({"2,3", "2,4"}, 0);
        },
        "the extent of axis 1 of input 1 and of those before it is 3 in one "
        "place and 4 in another");
    expect_error<ModelError>(
        [] {
            shape_after({"2,3", "2"}, 0);
        },
        "input 1 has shape [2]; expected rank 2");
    expect_error<ModelError>([] { shape_after({"2,3"}, 2); }, "axis 2 is out of range");
    expect_error<ModelError>([] { shape_after({"2,3"}, kLowest); }, "is out of range");
    expect_error<ModelError>([] { shape_after({"", ""}, 0); }, "is out of range for rank 0");
    expect_error<ModelError>(
        [] {
            named<ops::Concat>(
                std::vector<Output>{parameter("2"), parameter("2", ElementType::i32)}, 0);
        },
        "input 1 has type i32; expected f32");
    const std::string huge = std::to_string(std::int64_t{1} << 47);
    expect_error<ModelError>([&] { shape_after({huge, huge}, 0); }, "expected extents up to");
}

TEST(Concat, JoinsAlongAnyAxis) {
    const auto a = floats({2, 1, 2}, {1, 2, 3, 4});
    const auto b = floats({2, 2, 2}, {5, 6, 7, 8, 9, 10, 11, 12});
    expect_same(joined({a, b}, 1), floats({2, 3, 2}, {1, 2, 5, 6, 7, 8, 3, 4, 9, 10, 11, 12}));
    expect_same(joined({a, a}, 0), floats({4, 1, 2}, {1, 2, 3, 4, 1, 2, 3, 4}));
    expect_same(joined({a, a}, -1), floats({2, 1, 4}, {1, 2, 1, 2, 3, 4, 3, 4}));
    expect_moves_every_type(ops::Concat({}, 0), b, {});
}

TEST(Concat, JoinsEveryTypeAndEmptyTensors) {
    for (const ElementType type : kAllTypes) {
        const auto a = converted(floats({2, 1}, {0, 1}), type);
        expect_same(joined({a, a}, 1), converted(floats({2, 2}, {0, 0, 1, 1}), type));
    }
    const auto empty = counting({0, 2});
    expect_same(joined({empty, counting({1, 2}), empty}, 0), counting({1, 2}));
    EXPECT_EQ(joined({empty, empty}, 0).shape(), (Shape{0, 2}));
}

}  // namespace
}  // namespace rondo::concat_test
