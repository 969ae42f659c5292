#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::split_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::shared_ptr<ops::Split> split(std::string_view data, const Output& axis, std::int64_t parts) {
    return named<ops::Split>(parameter(data), axis, parts);
}

TEST(Split, ReadsAndWritesItsAttributes) {
    ops::Split op;
    read_attributes(op, {{"num_splits", "3"}});
    EXPECT_EQ(attributes_of(op), (Texts{{"num_splits", "3"}}));
    EXPECT_EQ(ops::find_op("Split", "opset13")->type, &ops::Split::kType);
}

TEST(Split, MakesEqualParts) {
    const auto node = split("2,6", scalar_int(-1), 3);
    ASSERT_EQ(node->output_count(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(inferred(*node, i), "f32[2,2]");
    EXPECT_EQ(inferred(*split("2,6", scalar_int(0), 1)), "f32[2,6]");
    EXPECT_EQ(inferred(*split("0,6", scalar_int(0), 2)), "f32[0,6]");
}

TEST(Split, DividesOpenExtents) {
    EXPECT_EQ(inferred(*split("?,3..8", scalar_int(1), 3)), "f32[?,1..2]");
    EXPECT_EQ(inferred(*split("?,3..", scalar_int(1), 2)), "f32[?,2..]");
    EXPECT_EQ(inferred(*split("...", scalar_int(1), 2), 1), "f32[...]");
    EXPECT_EQ(inferred(*split("4,4", unknown_ints(""), 2), 1), "f32[?,?]");
}

TEST(Split, RefusesWrongInputs) {
    expect_error<ModelError>([] { split("2,6", scalar_int(1), 4); },
                             "node 'n' (Split): axis 1 of data of shape [2,6] can't be split into "
                             "4 equal parts");
    expect_error<ModelError>([] { split("2,4..5", scalar_int(1), 3); }, "can't be split into 3");
    expect_error<ModelError>([] { split("2,6", scalar_int(1), 0); },
                             "num_splits is 0; expected 1 or more");
    expect_error<ModelError>([] { split("2,6", scalar_int(1), kLowest); }, "num_splits is -92233");
    expect_error<ModelError>([] { split("2,6", scalar_int(2), 2); }, "axis 2 is out of range");
    expect_error<ModelError>(
        [] {
            split("2,6", ints({0, 1}), 2);
        },
        "axis holds 2 elements; expected 1");
    expect_error<ModelError>([] { split("2,6", ints({0}), 2); },
                             "node 'n' (Split): axis has shape [1]; expected a scalar");
    expect_error<UnsupportedError>([] { split("0,6", scalar_int(0), kHighest); },
                                   "the op has 9223372036854775807 outputs; at most 65536");
    const auto lonely = unchecked<ops::Split>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 2");
}

TEST(Split, CutsTheElements) {
    ops::Split op;
    read_attributes(op, {{"num_splits", "2"}});
    expect_moves_every_type(op, counting({2, 4}), {int_scalar(1)});
    const auto parts = reference::evaluate(op, std::vector{counting({2, 4}), int_scalar(1)});
    expect_same(parts.at(0), floats({2, 2}, {0, 1, 4, 5}));
    expect_same(parts.at(1), floats({2, 2}, {2, 3, 6, 7}));
    const auto empty = reference::evaluate(op, std::vector{counting({2, 0}), int_scalar(1)});
    EXPECT_EQ(empty.at(1).shape(), (Shape{2, 0}));
}

}  // namespace
}  // namespace rondo::split_test
