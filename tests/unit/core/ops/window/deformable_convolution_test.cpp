#include "core/ops/window/convolutions.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::deformable_convolution_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string shape_after(const std::vector<std::string>& shapes, std::int64_t group = 1,
                        std::int64_t offset_group = 1) {
    std::vector<Output> inputs;
    for (const auto& shape : shapes) inputs.push_back(parameter(shape));
    return inferred(*named<ops::DeformableConvolution>(inputs, ops::ConvolutionAttributes{}, group,
                                                       offset_group, true));
}

Tensor convolved(const Tensor& data, const Tensor& offsets, const Tensor& filters, bool pads) {
    return evaluate_one(ops::DeformableConvolution({}, {}, 1, 1, pads), {data, offsets, filters});
}

TEST(DeformableConvolution, InfersItsShape) {
    EXPECT_EQ(shape_after({"2,4,7,8", "2,24,6,6", "5,4,2,3", "2,12,6,6"}, 1, 2), "f32[2,5,6,6]");
    EXPECT_EQ(shape_after({"?,?,?,8", "2,?,6,?", "6,2,2,3"}, 2), "f32[2,6,6,6]");
    EXPECT_EQ(shape_after({"...", "...", "..."}), "f32[?,?,?,?]");
}

TEST(DeformableConvolution, RefusesWrongInputs) {
    const auto refused = [](const std::vector<std::string>& shapes, std::string_view message,
                            std::int64_t group = 1, std::int64_t offset_group = 1) {
        expect_error<ModelError>([&] { shape_after(shapes, group, offset_group); }, message);
    };
    refused({"2,4,7,8", "2,12,6,5", "5,4,2,3"}, "an extent of the output is 6");
    refused({"2,4,7,8", "2,13,6,6", "5,4,2,3"}, "the number of offsets is 12");
    refused({"2,4,7,8", "2,12,6,6", "5,3,2,3"}, "expected 3 channels");
    refused({"2,4,7,8", "2,12,6,6", "5,2,2,3"}, "the filters have 5 channels", 2);
    refused({"2,4,7,8", "2,36,6,6", "5,4,2,3"}, "a multiple of deformable_group 3", 1, 3);
    refused({"2,4,7,8", "2,12,6,6", "5,4,2,3"}, "group is 0", 0);
    refused({"2,4,7,8", "2,12,6,6", "5,4,2,3", "2,5,6,6"}, "the number of factors is 6");
    expect_error<UnsupportedError>(
        [&] {
            shape_after({"2,4,7", "...", "..."});
        },
        "data has shape [2,4,7]; expected rank 4");
}

TEST(DeformableConvolution, IsAConvolutionWithoutOffsets) {
    auto rng = test_rng();
    const Tensor data = random_tensor(ElementType::f32, {2, 4, 5, 6}, rng);
    const Tensor filters = random_tensor(ElementType::f32, {3, 4, 2, 3}, rng);
    const Tensor offsets(ElementType::f32, {2, 12, 4, 4});
    const ops::Convolution plain(parameter("..."), parameter("..."), {});
    expect_near(convolved(data, offsets, filters, true), evaluate_one(plain, {data, filters}),
                1e-6);
}

TEST(DeformableConvolution, MovesItsTaps) {
    const Tensor data = floats({1, 1, 2, 2}, {1, 2, 3, 4});
    const Tensor filter = floats({1, 1, 1, 1}, {10});
    // y, then x, of four positions: 0.5 down; 0.5 to the left; 0.5 out; 2 out.
    const Tensor offsets = floats({1, 2, 2, 2}, {0.5F, 0, 0.5F, 0, 0, -0.5F, 0, 2});
    expect_near(convolved(data, offsets, filter, true), floats({1, 1, 2, 2}, {20, 15, 15, 0}),
                1e-6);
    expect_near(convolved(data, offsets, filter, false), floats({1, 1, 2, 2}, {20, 15, 30, 0}),
                1e-6);
    const ops::DeformableConvolution op({}, {}, 1, 1, true);
    const Tensor factors = floats({1, 1, 2, 2}, {1, 2, 0, 4});
    expect_near(evaluate_one(op, {data, offsets, filter, factors}),
                floats({1, 1, 2, 2}, {20, 30, 0, 0}), 1e-6);
}

}  // namespace
}  // namespace rondo::deformable_convolution_test
