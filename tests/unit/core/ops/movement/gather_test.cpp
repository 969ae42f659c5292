#include "core/ops/movement/movement_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::gather_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, std::string_view indices, std::int64_t axis,
                        std::int64_t batch_dims = 0) {
    return inferred(
        *named<ops::Gather>(parameter(data), unknown_ints(indices), scalar_int(axis), batch_dims));
}

Tensor gathered(const Tensor& data, const Tensor& indices, std::int64_t axis,
                std::int64_t batch_dims = 0) {
    ops::Gather op;
    op.set_name("n");
    read_attributes(op, {{"batch_dims", std::to_string(batch_dims)}});
    return evaluate_one(op, {data, indices, int_scalar(axis)});
}

TEST(Gather, ReadsAndWritesItsAttributes) {
    ops::Gather op;
    EXPECT_EQ(attributes_of(op), (Texts{{"batch_dims", "0"}}));
    read_attributes(op, {{"batch_dims", "-1"}});
    EXPECT_EQ(op.batch_dims(), -1);
}

TEST(Gather, ReadsOlderForms) {
    for (const char* opset : {"opset1", "opset6", "opset7", "opset8", "opset13"}) {
        const auto* entry = ops::find_op("Gather", opset);
        ASSERT_NE(entry, nullptr) << opset;
        EXPECT_EQ(entry->make()->op_type().opset, 8) << opset;
    }
    EXPECT_EQ(ops::find_op("Gather", "opset7")->type->opset, 7);
}

TEST(Gather, PutsTheIndicesAxesInPlaceOfTheAxis) {
    EXPECT_EQ(shape_after("2,3,4", "5,6", 1), "f32[2,5,6,4]");
    EXPECT_EQ(shape_after("2,3,4", "", 0), "f32[3,4]");
    EXPECT_EQ(shape_after("2,3,?", "1..7", -1), "f32[2,3,1..7]");
    EXPECT_EQ(shape_after("3", "", 0), "f32[]");
}

TEST(Gather, SharesBatchAxes) {
    EXPECT_EQ(shape_after("2,?,5", "?,7", 1, 1), "f32[2,7,5]");
    EXPECT_EQ(shape_after("2,3,5", "2,7", 2, -1), "f32[2,3,7]");
    EXPECT_EQ(shape_after("2,3,5", "2,3", 2, 2), "f32[2,3]");
}

TEST(Gather, KnowsTheRankWithoutTheAxis) {
    const auto rank = [](std::string_view indices) {
        return inferred(
            *named<ops::Gather>(parameter("2,3"), unknown_ints(indices), unknown_ints("")));
    };
    EXPECT_EQ(rank("4,5"), "f32[?,?,?]");
    EXPECT_EQ(rank("..."), "f32[...]");
    EXPECT_EQ(shape_after("...", "4", 0), "f32[...]");
}

TEST(Gather, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, std::string_view indices, std::int64_t axis,
                            std::int64_t batch_dims, std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, indices, axis, batch_dims); }, message);
    };
    refused("2,3", "1", 2, 0, "node 'n' (Gather): axis 2 is out of range for rank 2");
    refused("2,3", "...", kLowest, 0, "is out of range for rank 2");
    refused("", "1", 0, 0, "data is a scalar");
    refused("2,3", "2,3", 0, 1, "batch_dims is 1; expected no more than the axis, 0");
    refused("2,3", "2", 1, 2, "batch_dims is 2, but indices have shape [2]");
    refused("2,3", "2", 1, kLowest, "batch_dims is -9223372036854775808, but indices");
    refused("2", "2,1", 0, 1, "batch_dims is 1, but data has shape [2]");
    refused("2,3", "4,1", 1, 1, "the extent of batch axis 0 is 2 in one place and 4 in another");
    expect_error<ModelError>(
        [] { named<ops::Gather>(parameter("2"), parameter("1"), scalar_int(0)); },
        "indices have type f32; expected integers");
    expect_error<ModelError>(
        [] {
            named<ops::Gather>(parameter("2"), ints({0}), ints({0, 0}));
        },
        "axis holds 2 elements; expected 1");
    expect_error<ModelError>(
        [] { named<ops::Gather>(parameter("2"), scalar_int(0), parameter("")); },
        "axis has type f32; expected integers");
    const auto lonely = unchecked<ops::Gather>({parameter("2")});
    expect_error<ModelError>([&] { lonely->validate(); }, "got 1 input; expected 3");
}

TEST(Gather, CopiesTheSlices) {
    expect_same(gathered(counting({3, 2}), int_vector({2, 0, -1}), 0),
                floats({3, 2}, {4, 5, 0, 1, 4, 5}));
    expect_same(gathered(counting({2, 3}), int_scalar(-2), 1), floats({2}, {1, 4}));
    const auto table = tensor_of<std::uint8_t>({2, 2}, {1, 0, 0, 1});
    expect_same(gathered(floats({2}, {5, 6}), table, 0), floats({2, 2}, {6, 5, 5, 6}));
    EXPECT_EQ(gathered(counting({2, 3}), int_vector({}), 1).shape(), (Shape{2, 0}));
    expect_moves_every_type(ops::Gather(), counting({2, 3}),
                            {int_vector({2, 2, 0}), int_scalar(1)});
}

TEST(Gather, CopiesBatchByBatch) {
    const auto indices = tensor_of<std::int32_t>({2, 2}, {1, 0, 2, 2});
    expect_same(gathered(counting({2, 3}), indices, 1, 1), floats({2, 2}, {1, 0, 5, 5}));
    // D = 2 rows between the batch and the axis: each uses its batch's indices.
    expect_same(gathered(counting({2, 2, 3}), indices, -1, -1),
                floats({2, 2, 2}, {1, 0, 4, 3, 8, 8, 11, 11}));
}

TEST(Gather, RefusesIndicesOutOfRange) {
    for (const std::int64_t index : {kLowest, std::int64_t{-4}, std::int64_t{3}, kHighest}) {
        expect_error<ModelError>(
            [&] {
                gathered(counting({3}), int_vector({0, index}), 0);
            },
            "node 'n' (Gather): index " + std::to_string(index) +
                " is out of range for an axis of extent 3");
    }
    const auto huge = tensor_of<std::uint64_t>({1}, {18446744073709551615u});
    expect_error<ModelError>([&] { gathered(counting({3}), huge, 0); },
                             "index 18446744073709551615 is out of range");
    expect_error<ModelError>([] { gathered(counting({0}), int_scalar(0), 0); },
                             "index 0 is out of range for an axis of extent 0");
}

}  // namespace
}  // namespace rondo::gather_test
