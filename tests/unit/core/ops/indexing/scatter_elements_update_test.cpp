// Tests a part of core/ops/indexing/indexing_ops.hpp.
#include "core/ops/indexing/indexing_ops.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/graph/printer.hpp"
#include "core/ops/op_list.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::scatter_elements_update_test {
namespace {

using namespace test;  // NOLINT: tests only
using Texts = std::vector<std::pair<std::string, std::string>>;

using Op = ops::ScatterElementsUpdate;

std::string shape_after(std::string_view data, std::string_view indices, std::string_view updates,
                        const Output& axis) {
    return inferred(*named<Op>(
        std::vector<Output>{parameter(data), unknown_ints(indices), parameter(updates), axis},
        ops::ScatterReduction::none));
}

std::shared_ptr<Op> op_of(const std::string& reduction, bool use_init_val = true) {
    const auto node = unchecked<Op>({});
    read_attributes(*node,
                    {{"reduction", reduction}, {"use_init_val", use_init_val ? "true" : "false"}});
    return node;
}

Tensor scattered(const std::string& reduction, const Tensor& data, const Tensor& indices,
                 const Tensor& updates, std::int64_t axis, bool use_init_val = true) {
    return evaluate_one(*op_of(reduction, use_init_val),
                        {data, indices, updates, int_scalar(axis)});
}

TEST(ScatterElementsUpdate, ReadsAndWritesItsAttributes) {
    Op op;
    EXPECT_EQ(attributes_of(op), (Texts{{"reduction", "none"}, {"use_init_val", "true"}}));
    for (const std::string reduction : {"sum", "prod", "min", "max", "mean"}) {
        EXPECT_EQ(attributes_of(*op_of(reduction, false)),
                  (Texts{{"reduction", reduction}, {"use_init_val", "false"}}));
    }
    expect_error<ModelError>([] { op_of("sub"); }, "attribute 'reduction' is 'sub'");
    EXPECT_EQ(ops::find_op("ScatterElementsUpdate", "opset3")->make()->op_type().opset, 12);
}

TEST(ScatterElementsUpdate, KeepsTheShapeOfData) {
    EXPECT_EQ(shape_after("2,3", "2,7", "2,7", scalar_int(1)), "f32[2,3]");
    EXPECT_EQ(shape_after("?,3", "?,1", "2,1", unknown_ints("")), "f32[?,?]");
    EXPECT_EQ(shape_after("...", "2", "...", scalar_int(9)), "f32[...]");
}

TEST(ScatterElementsUpdate, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, std::string_view indices,
                            std::string_view updates, std::int64_t axis, std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, indices, updates, scalar_int(axis)); },
                                 message);
    };
    refused("2,3", "2,3", "2,3", 2,
            "node 'n' (ScatterElementsUpdate): axis 2 is out of range for rank 2");
    refused("2,3", "2,3", "2,4", 1, "updates have shape [2,4]; expected [2,3], as indices");
    refused("2,3", "3,3", "3,3", 1, "indices have shape [3,3], but data has shape [2,3]");
    const auto node_of = [](const Output& data, const Output& updates, const char* reduction) {
        const auto node = op_of(reduction);
        node->set_inputs({data, unknown_ints("2"), updates, scalar_int(0)});
        node->validate();
    };
    expect_error<ModelError>([&] { node_of(parameter("2"), unknown_ints("2"), "none"); },
                             "input 2 has type i64; expected f32");
    const Output flags = parameter("2", ElementType::boolean);
    expect_error<UnsupportedError>([&] { node_of(flags, flags, "mean"); },
                                   "data is boolean; expected numbers");
}

TEST(ScatterElementsUpdate, WritesElements) {
    const auto zeros = floats({3, 2}, {0, 0, 0, 0, 0, 0});
    const auto indices = tensor_of<std::int64_t>({2, 2}, {1, 0, -1, 2});
    const auto updates = floats({2, 2}, {1, 2, 3, 4});
    expect_same(scattered("none", zeros, indices, updates, 0), floats({3, 2}, {0, 2, 1, 0, 3, 4}));
    expect_same(
        scattered("none", zeros, tensor_of<std::int64_t>({1, 1}, {-1}), floats({1, 1}, {5}), 1),
        floats({3, 2}, {0, 5, 0, 0, 0, 0}));
    expect_same(
        scattered("none", zeros, tensor_of<std::int64_t>({0, 2}, {}), floats({0, 2}, {}), 0),
        zeros);
}

TEST(ScatterElementsUpdate, Reduces) {
    const auto data = floats({3}, {10, 20, 30});
    const auto indices = int_vector({0, 0, 2});
    const auto updates = floats({3}, {3, 5, 40});
    const auto reduced = [&](const char* reduction, bool use_init_val) {
        return scattered(reduction, data, indices, updates, 0, use_init_val);
    };
    expect_same(reduced("sum", true), floats({3}, {18, 20, 70}));
    expect_same(reduced("prod", true), floats({3}, {150, 20, 1200}));
    expect_same(reduced("min", true), floats({3}, {3, 20, 30}));
    expect_same(reduced("max", true), floats({3}, {10, 20, 40}));
    expect_same(reduced("mean", true), floats({3}, {6, 20, 35}));
    expect_same(reduced("sum", false), floats({3}, {8, 20, 40}));
    expect_same(reduced("prod", false), floats({3}, {15, 20, 40}));
    expect_same(reduced("min", false), floats({3}, {3, 20, 40}));
    expect_same(reduced("max", false), floats({3}, {5, 20, 40}));
    expect_same(reduced("mean", false), floats({3}, {4, 20, 40}));
    expect_same(reduced("none", false), floats({3}, {5, 20, 40}));
}

TEST(ScatterElementsUpdate, RoundsIntegerMeansTowardsZero) {
    const auto mean = [](const Tensor& data, const Tensor& updates) {
        return scattered("mean", data, int_vector({0, 0}), updates, 0);
    };
    expect_same(mean(tensor_of<std::int8_t>({1}, {-100}), tensor_of<std::int8_t>({2}, {-100, -99})),
                tensor_of<std::int8_t>({1}, {-99}));
    expect_same(mean(tensor_of<std::uint8_t>({1}, {255}), tensor_of<std::uint8_t>({2}, {255, 253})),
                tensor_of<std::uint8_t>({1}, {254}));
}

TEST(ScatterElementsUpdate, KeepsNaNAndReducesBooleans) {
    const float nan = std::nanf("");
    expect_same(
        scattered("max", floats({2}, {nan, 1}), int_vector({0, 1}), floats({2}, {5, nan}), 0),
        floats({2}, {nan, nan}));
    const auto data = tensor_of<bool>({2}, {true, false});
    const auto updates = tensor_of<bool>({2}, {false, true});
    const auto indices = int_vector({0, 1});
    for (const char* reduction : {"sum", "max"}) {
        expect_same(scattered(reduction, data, indices, updates, 0),
                    tensor_of<bool>({2}, {true, true}));
    }
    for (const char* reduction : {"prod", "min"}) {
        expect_same(scattered(reduction, data, indices, updates, 0),
                    tensor_of<bool>({2}, {false, false}));
    }
}

TEST(ScatterElementsUpdate, RefusesIndicesOutOfRange) {
    expect_error<ModelError>(
        [] { scattered("none", counting({2}), int_vector({2}), counting({1}), 0); },
        "node 'n' (ScatterElementsUpdate): index 2 is out of range for an axis of extent 2");
}

}  // namespace
}  // namespace rondo::scatter_elements_update_test
