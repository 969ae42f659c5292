// Tests a part of core/ops/movement/movement_ops.hpp.
#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::variadic_split_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<ops::VariadicSplit> split(std::string_view data, const Output& axis,
                                          const Output& lengths) {
    return named<ops::VariadicSplit>(parameter(data), axis, lengths);
}

std::string shapes(const Node& node) {
    std::string text;
    for (std::size_t i = 0; i < node.output_count(); ++i) {
        text += to_string(node.output_shape(i));
    }
    return text;
}

std::string shapes_after(std::string_view data, std::int64_t axis, const Ints& lengths) {
    return shapes(*split(data, scalar_int(axis), ints(lengths)));
}

TEST(VariadicSplit, CutsByLengths) {
    EXPECT_EQ(shapes_after("2,6", 1, {1, 0, 5}), "[2,1][2,0][2,5]");
    EXPECT_EQ(shapes_after("2,6", -1, {1, -1, 3}), "[2,1][2,2][2,3]");
    EXPECT_EQ(shapes_after("2,6", 0, {-1}), "[2,6]");
    EXPECT_EQ(shapes_after("2,6", 1, {6, -1}), "[2,6][2,0]");
}

TEST(VariadicSplit, BoundsWhatIsLeftOfAnOpenExtent) {
    EXPECT_EQ(shapes_after("?,3..7", 1, {1, -1}), "[?,1][?,2..6]");
    EXPECT_EQ(shapes_after("?,3..7", 1, {5, -1}), "[?,5][?,..2]");
    EXPECT_EQ(shapes_after("?", 0, {5, -1}), "[5][?]");
    EXPECT_EQ(shapes_after("?", 0, {5, 1}), "[5][1]");
    EXPECT_EQ(shapes_after("...", 0, {5, 1}), "[...][...]");
}

TEST(VariadicSplit, NeedsOnlyTheNumberOfLengths) {
    EXPECT_EQ(shapes(*split("2,6", scalar_int(1), unknown_ints("2"))), "[2,?][2,?]");
    EXPECT_EQ(shapes(*split("2,6", unknown_ints(""), ints({1, 5}))), "[?,?][?,?]");
}

TEST(VariadicSplit, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, const Ints& lengths, std::string_view message) {
        expect_error<ModelError>([&] { shapes_after(data, 0, lengths); }, message);
    };
    refused("6", {1, 6}, "node 'n' (VariadicSplit): lengths add up to 7, but the axis has 6");
    refused("6", {1, 4}, "lengths add up to 5, but the axis has 6");
    refused("6", {7, -1}, "lengths add up to 7, but the axis has 6");
    refused("3..7", {1, 1}, "lengths add up to 2, but the axis has 3..7");
    refused("3..7", {1, 9}, "lengths add up to 10, but the axis has 3..7");
    refused("6", {-1, -1}, "lengths hold -1 more than once");
    refused("6", {-2}, "lengths hold -2; expected lengths or one -1");
    refused("6", {kHighest - 1, kHighest - 1}, "add up to too much");
    refused("6", {}, "lengths are empty");
    expect_error<ModelError>([] { shapes_after("6", 1, {6}); }, "axis 1 is out of range");
    expect_error<UnsupportedError>([] { split("6", scalar_int(0), unknown_ints("?")); },
                                   "the number of lengths, and so of outputs, is not known");
    const auto lonely = unchecked<ops::VariadicSplit>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 3");
}

TEST(VariadicSplit, CutsTheElements) {
    const ops::VariadicSplit op;
    const std::vector<Tensor> how{int_scalar(1), int_vector({1, 0, -1})};
    expect_moves_every_type(op, counting({2, 4}), how);
    const auto parts = reference::evaluate(op, std::vector{counting({2, 4}), how[0], how[1]});
    expect_same(parts.at(0), floats({2, 1}, {0, 4}));
    EXPECT_EQ(parts.at(1).shape(), (Shape{2, 0}));
    expect_same(parts.at(2), floats({2, 3}, {1, 2, 3, 5, 6, 7}));
    EXPECT_EQ(ops::find_op("VariadicSplit", "opset13")->type, &ops::VariadicSplit::kType);
}

}  // namespace
}  // namespace rondo::variadic_split_test
