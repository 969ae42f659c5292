// Tests a part of core/ops/indexing/indexing_ops.hpp.
#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::gather_elements_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

std::string shape_after(std::string_view data, std::string_view indices, std::int64_t axis) {
    return inferred(*named<ops::GatherElements>(parameter(data), unknown_ints(indices), axis));
}

Tensor gathered(const Tensor& data, const Tensor& indices, std::int64_t axis) {
    ops::GatherElements op;
    op.set_name("n");
    read_attributes(op, {{"axis", std::to_string(axis)}});
    return evaluate_one(op, {data, indices});
}

TEST(GatherElements, ReadsAndWritesItsAttributes) {
    ops::GatherElements op;
    EXPECT_EQ(attributes_of(op), (Texts{{"axis", "0"}}));
    read_attributes(op, {{"axis", "-1"}});
    EXPECT_EQ(op.axis(), -1);
}

TEST(GatherElements, HasTheShapeOfTheIndices) {
    EXPECT_EQ(shape_after("2,3", "2,7", 1), "f32[2,7]");
    EXPECT_EQ(shape_after("2,3", "1,7", -1), "f32[1,7]");
    EXPECT_EQ(shape_after("?,3", "?,1..4", 1), "f32[?,1..4]");
    EXPECT_EQ(shape_after("2,3", "...", 1), "f32[?,?]");
    EXPECT_EQ(shape_after("...", "2,3", 5), "f32[2,3]");
    EXPECT_EQ(shape_after("...", "...", 0), "f32[...]");
}

TEST(GatherElements, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, std::string_view indices, std::int64_t axis,
                            std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, indices, axis); }, message);
    };
    refused("2,3", "2,3", 2, "node 'n' (GatherElements): axis 2 is out of range for rank 2");
    refused("2,3", "...", kLowest, "is out of range for rank 2");
    refused("2,3", "2", 0,
            "indices have shape [2], but data has shape [2,3]; expected the same rank, and no "
            "larger extent except along axis 0");
    refused("2,3", "3,3", 1, "indices have shape [3,3], but data has shape [2,3]");
    refused("", "", 0, "axis 0 is out of range for rank 0");
    expect_error<ModelError>([] { named<ops::GatherElements>(parameter("2"), parameter("2"), 0); },
                             "indices have type f32; expected integers");
}

TEST(GatherElements, TakesElementsAlongAnAxis) {
    const auto data = counting({2, 3});
    const auto indices = [](const Shape& shape, const Ints& values) {
        return tensor_of<std::int64_t>(shape, values);
    };
    expect_same(gathered(data, indices({2, 2}, {2, 0, -1, 1}), 1), floats({2, 2}, {2, 0, 5, 4}));
    expect_same(gathered(data, indices({1, 3}, {1, 0, -1}), 0), floats({1, 3}, {3, 1, 5}));
    expect_same(gathered(data, indices({3, 2}, {0, 1, 1, 0, 0, 0}), -2),
                floats({3, 2}, {0, 4, 3, 1, 0, 1}));
    EXPECT_EQ(gathered(data, indices({0, 3}, {}), 0).shape(), (Shape{0, 3}));
    expect_moves_every_type(ops::GatherElements(), data, {indices({1, 3}, {1, 0, 1})});
}

TEST(GatherElements, RefusesIndicesOutOfRange) {
    for (const std::int64_t index : {kLowest, std::int64_t{-4}, std::int64_t{3}, kHighest}) {
        expect_error<ModelError>(
            [&] {
                gathered(counting({3}), int_vector({0, index}), 0);
            },
            "node 'n' (GatherElements): index " + std::to_string(index) +
                " is out of range for an axis of extent 3");
    }
}

}  // namespace
}  // namespace rondo::gather_elements_test
