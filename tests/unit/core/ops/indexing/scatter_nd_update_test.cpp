// Tests a part of core/ops/indexing/indexing_ops.hpp.
#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::scatter_nd_update_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

using Op = ops::ScatterNDUpdate;

std::string shape_after(std::string_view data, std::string_view indices, std::string_view updates) {
    return inferred(
        *named<Op>(std::vector<Output>{parameter(data), unknown_ints(indices), parameter(updates)},
                   ops::ScatterReduction::none));
}

Tensor scattered(const std::string& reduction, const Tensor& data, const Tensor& indices,
                 const Tensor& updates) {
    Op op;
    op.set_name("n");
    read_attributes(op, {{"reduction", reduction}});
    return evaluate_one(op, {data, indices, updates});
}

TEST(ScatterNDUpdate, ReadsAndWritesItsAttributes) {
    Op op;
    EXPECT_EQ(attributes_of(op), (Texts{{"reduction", "none"}}));
    for (const std::string reduction : {"sum", "sub", "prod", "min", "max"}) {
        read_attributes(op, {{"reduction", reduction}});
        EXPECT_EQ(attributes_of(op), (Texts{{"reduction", reduction}}));
    }
    EXPECT_EQ(ops::find_op("ScatterNDUpdate", "opset4")->make()->op_type().opset, 15);
}

TEST(ScatterNDUpdate, KeepsTheShapeOfData) {
    EXPECT_EQ(shape_after("2,3,4", "5,6,2", "5,6,4"), "f32[2,3,4]");
    EXPECT_EQ(shape_after("?,3", "5,1", "?,3"), "f32[?,3]");
    EXPECT_EQ(shape_after("2,3", "2", ""), "f32[2,3]");
    EXPECT_EQ(shape_after("2,3", "5,?", "7,7,7"), "f32[2,3]");
    EXPECT_EQ(shape_after("...", "5,2", "5"), "f32[...]");
}

TEST(ScatterNDUpdate, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, std::string_view indices,
                            std::string_view updates, std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, indices, updates); }, message);
    };
    refused("2,3", "5,1", "5,4",
            "node 'n' (ScatterNDUpdate): updates have shape [5,4]; expected [5,3] for data of "
            "shape [2,3] and indices of shape [5,1]");
    refused("2,3", "5,3", "5", "expected 1 to 2 places in their last axis");
    refused("2,3", "", "2,3", "indices are a scalar; expected rank 1 or more");
    expect_error<UnsupportedError>(
        [] {
            const Output flags = parameter("2", ElementType::boolean);
            named<Op>(std::vector<Output>{flags, unknown_ints("1,1"),
                                          parameter("1", ElementType::boolean)},
                      ops::ScatterReduction::sub);
        },
        "data is boolean; expected numbers");
}

TEST(ScatterNDUpdate, WritesSlices) {
    const auto data = counting({3, 2});
    const auto rows = tensor_of<std::int64_t>({2, 1}, {2, -3});
    const auto updates = floats({2, 2}, {10, 20, 30, 40});
    expect_same(scattered("none", data, rows, updates), floats({3, 2}, {30, 40, 2, 3, 10, 20}));
    expect_same(scattered("sum", data, rows, updates), floats({3, 2}, {30, 41, 2, 3, 14, 25}));
    const auto twice = tensor_of<std::int64_t>({2, 2}, {1, 0, 1, 0});
    const auto two = floats({2}, {5, 7});
    expect_same(scattered("none", data, twice, two), floats({3, 2}, {0, 1, 7, 3, 4, 5}));
    expect_same(scattered("sub", data, twice, two), floats({3, 2}, {0, 1, -10, 3, 4, 5}));
    expect_same(scattered("prod", data, twice, two), floats({3, 2}, {0, 1, 70, 3, 4, 5}));
    expect_same(scattered("min", data, twice, two), data);
    expect_same(scattered("max", data, twice, two), floats({3, 2}, {0, 1, 7, 3, 4, 5}));
    expect_same(scattered("none", data, tensor_of<std::int64_t>({0, 1}, {}), floats({0, 2}, {})),
                data);
}

TEST(ScatterNDUpdate, RefusesIndicesOutOfRange) {
    expect_error<ModelError>(
        [] {
            scattered("none", counting({2, 2}), tensor_of<std::int64_t>({1, 2}, {0, 2}),
                      counting({1}));
        },
        "node 'n' (ScatterNDUpdate): index 2 is out of range for an axis of extent 2");
}

}  // namespace
}  // namespace rondo::scatter_nd_update_test
