#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::col2im_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string shape_after(std::string_view data, const Output& image, const Output& kernel) {
    return inferred(
        *named<ops::Col2Im>(parameter(data), image, kernel, ops::ConvolutionAttributes{}));
}

TEST(Col2Im, InfersItsShape) {
    EXPECT_EQ(shape_after("2,12,12", ints({4, 5}), ints({2, 2})), "f32[2,3,4,5]");
    EXPECT_EQ(shape_after("12,12", ints({4, 5}), ints({2, 2})), "f32[3,4,5]");
    EXPECT_EQ(shape_after("?,?,?", ints({4, 5}), ints({2, 2})), "f32[?,?,4,5]");
    EXPECT_EQ(shape_after("2,12,12", unknown_ints("2"), ints({2, 2})), "f32[2,?,?,?]");
    EXPECT_EQ(shape_after("2,12,12", unknown_ints("?"), unknown_ints("?")), "f32[...]");
    const auto opset = [](const Ints& image) {
        const Output data = parameter("?,?,?");
        return named<ops::Col2Im>(data, ints(image), ints(Ints(image.size(), 1)),
                                  ops::ConvolutionAttributes{})
            ->op_type()
            .opset;
    };
    EXPECT_EQ(opset({4, 5}), 15);
    EXPECT_EQ(opset({4}), 0);
    EXPECT_EQ(opset({4, 5, 6}), 0);
}

TEST(Col2Im, RefusesWrongInputs) {
    const auto refused = [](std::string_view data, const Output& image, const Output& kernel,
                            std::string_view message) {
        expect_error<ModelError>([&] { shape_after(data, image, kernel); }, message);
    };
    refused("2,12,11", ints({4, 5}), ints({2, 2}), "a multiple of 4 rows and 12 blocks");
    refused("2,13,12", ints({4, 5}), ints({2, 2}), "a multiple of 4 rows and 12 blocks");
    refused("2,12", ints({4, 5}), ints({2}), "kernel_size");
    refused("2,12,12", ints({-4, 5}), ints({2, 2}), "output_size holds -4");
    refused("2,12,12", ints({4, 5}), ints({0, 2}), "kernel_size holds 0");
    refused("12", ints({4, 5}), ints({2, 2}), "expected rank 2 or 3");
    refused("?,?,?", ints({1 << 30, 1 << 30}), ints({1, 1}), "too many elements");
    expect_error<UnsupportedError>(
        [] {
            shape_after("?,?,?", ints({2, 2, 2, 2}), ints({1, 1, 1, 1}));
        },
        "output_size has 4 elements; expected 1 to 3");
}

TEST(Col2Im, AddsBlocksWhereTheyOverlap) {
    const ops::Col2Im line(parameter("?,?,?"), ints({4}), ints({2}), {});
    const std::vector<Tensor> sizes{int_vector({4}), int_vector({2})};
    // Blocks (1, 4), (2, 5) and (3, 6).
    expect_same(evaluate_one(line, {floats({1, 2, 3}, {1, 2, 3, 4, 5, 6}), sizes[0], sizes[1]}),
                floats({1, 1, 4}, {1, 6, 8, 6}));
    const ops::Col2Im spread(parameter("?,?,?"), ints({4}), ints({2}), {{2}, {2}, {1}, {1}});
    // Columns 0 and 2 of places -1, 1 and of 1, 3.
    expect_same(evaluate_one(spread, {floats({1, 2, 2}, {1, 2, 3, 4}), sizes[0], sizes[1]}),
                floats({1, 1, 4}, {0, 5, 0, 4}));
    const ops::Col2Im plane(parameter("?,?"), ints({2, 3}), ints({1, 2}), {});
    const Tensor data = tensor_of<std::int8_t>({2, 4}, {1, 2, 3, 100, 5, 6, 7, 100});
    expect_same(evaluate_one(plane, {data, int_vector({2, 3}), int_vector({1, 2})}),
                tensor_of<std::int8_t>({1, 2, 3}, {1, 7, 6, 3, 107, 100}));
}

}  // namespace
}  // namespace rondo::col2im_test
