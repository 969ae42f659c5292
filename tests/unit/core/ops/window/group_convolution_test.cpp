// GroupConvolution: the shape that groups give to a convolution.
#include <gtest/gtest.h>

#include "core/ops/op_list.hpp"
#include "core/ops/window/convolutions.hpp"
#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/ops.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::group_convolution_test {
namespace {

using namespace test;  // NOLINT: tests only

std::string infer(const char* data, const char* filters) {
    const auto node = unchecked<ops::GroupConvolution>({parameter(data), parameter(filters)});
    node->validate();
    return inferred(*node);
}

// Expectations as OpenVINO infers them.
TEST(GroupConvolution, InfersExtents) {
    EXPECT_EQ(infer("1,6,8", "2,5,3,3"), "f32[1,10,6]");
    EXPECT_EQ(infer("?,?,?", "2,5,3,3"), "f32[?,10,?]");
    EXPECT_EQ(infer("...", "2,5,3,3"), "f32[?,10,?]");
    EXPECT_EQ(infer("1,6,8,9", "?,5,3,3,2"), "f32[1,?,6,8]");
    EXPECT_EQ(infer("1,6,8", "..."), "f32[1,?,..8]");
    EXPECT_EQ(infer("...", "..."), "f32[...]");
}

TEST(GroupConvolution, RefusesShapesThatDontFit) {
    const auto refused = [](const char* data, const char* filters) {
        return [=] { infer(data, filters); };
    };
    expect_error<ModelError>(refused("1,5,8", "2,5,3,3"),
                             "node 'n' (GroupConvolution): the data has shape [1,5,8] but the "
                             "filters have [2,5,3,3]; expected 6 channels");
    expect_error<ModelError>(refused("1,6,8", "6,3,3"), "filters has shape [6,3,3]");
    expect_error<ModelError>(refused("...", "6,3,3"), "expected rank 4, 5 or 6");
}

TEST(GroupConvolution, ReadsItsAttributes) {
    const auto node = ops::find_op("GroupConvolution", "opset1")->make();
    read_attributes(*node, {{"strides", "2"}, {"auto_pad", "valid"}});
    const auto& attributes = dynamic_cast<const ops::GroupConvolution&>(*node).attributes();
    EXPECT_EQ(attributes.strides, std::vector<std::int64_t>{2});
    EXPECT_EQ(attributes.auto_pad, ops::AutoPad::valid);
}

TEST(GroupConvolution, KeepsGroupsApart) {
    const auto data = tensor_of<float>({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto filters = tensor_of<float>({2, 1, 2, 2}, {1, 0, 0, 1, 1, 10, 100, 1000});
    expect_same(evaluate_one(*unchecked<ops::GroupConvolution>({}), {data, filters}),
                tensor_of<float>({1, 2, 1}, {5, 8765}));
    expect_same(
        evaluate_one(*unchecked<ops::GroupConvolution>({}),
                     {Tensor(ElementType::f32, {1, 0, 2}), Tensor(ElementType::f32, {2, 3, 0, 1})}),
        Tensor(ElementType::f32, {1, 6, 2}));
}

}  // namespace
}  // namespace rondo::group_convolution_test
