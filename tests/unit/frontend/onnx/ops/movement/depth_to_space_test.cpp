// Tests a part of frontend/onnx/ops/movement/moves.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::depth_to_space_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

constexpr ElementType f32 = ElementType::f32;

const Tensor kDepth = tensor_of<float>({1, 4, 1, 1}, {1, 2, 3, 4});
const Tensor kSpace = tensor_of<float>({1, 1, 2, 2}, {1, 2, 3, 4});

Tensor to_space(std::int64_t opset, const std::string& mode) {
    ModelBuilder model(opset);
    model.input("x", f32, {1, 8, 1, 1}).output("y");
    auto node = model.node("DepthToSpace", {"x"}, {"y"});
    node.with("blocksize", 2);
    if (!mode.empty()) node.with("mode", mode);
    return model.run({tensor_of<float>({1, 8, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8})}).at(0);
}

TEST(OnnxDepthToSpace, HasTwoModesSinceOpset11) {
    const Tensor blocks = tensor_of<float>({1, 2, 2, 2}, {1, 3, 5, 7, 2, 4, 6, 8});
    expect_same(to_space(1, ""), blocks);
    expect_same(to_space(11, ""), blocks);
    expect_same(to_space(13, "DCR"), blocks);
    expect_same(to_space(13, "CRD"), tensor_of<float>({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
    expect_error<ModelError>([] { to_space(13, "RCD"); },
                             "attribute 'mode' is 'RCD'; expected 'DCR' or 'CRD'");
}

TEST(OnnxSpaceToDepth, GathersBlocks) {
    for (const std::int64_t opset : {1, 13}) {
        ModelBuilder model(opset);
        model.input("x", f32, {1, 1, Dimension(), Dimension()}).output("y");
        model.node("SpaceToDepth", {"x"}, {"y"}).with("blocksize", 2);
        expect_same(model.run({kSpace}).at(0), kDepth);
    }
    ModelBuilder model;
    model.input("x", f32, {1, 1, 2, 2}).output("y");
    model.node("SpaceToDepth", {"x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'blocksize' is missing");
}

}  // namespace
}  // namespace rondo::onnx::depth_to_space_test
