// Tests a part of frontend/onnx/ops/recurrent/layers.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

namespace rondo::onnx::gru_test {
namespace {

using ops::ActivationKind;
using test::OnnxRecurrent;

OnnxRecurrent gru(const std::string& direction, bool linear_before_reset, bool all) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "GRU", .direction = direction};
    node.linear_before_reset = linear_before_reset;
    node.fill(rng, all);
    return node;
}

TEST(OnnxGru, FollowsTheFormulas) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (const bool linear_before_reset : {false, true}) {
            gru(direction, linear_before_reset, false).check();
            gru(direction, linear_before_reset, true).check();
        }
    }
}

TEST(OnnxGru, FollowsTheFormulasInEveryOpset) {
    for (const std::int64_t opset : {3, 7, 14, 22}) {
        gru("bidirectional", true, true).check(opset);
    }
    gru("forward", false, true).check(1);
}

TEST(OnnxGru, TakesWeightsAtRunTime) { gru("bidirectional", true, true).check(14, true); }

TEST(OnnxGru, HonoursEveryOption) {
    auto node = gru("bidirectional", true, true);
    node.clip = 0.2f;
    node.activations = {
        {{ActivationKind::affine, 0.5f, 0.1f}, {ActivationKind::leaky_relu, 0.3f, 0}},
        {{ActivationKind::sigmoid, 0, 0}, {ActivationKind::softplus, 0, 0}}};
    node.check();
}

TEST(OnnxGru, HonoursLayoutOne) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "GRU", .direction = "bidirectional", .layout = true};
    node.fill(rng, true);
    node.check();
}

// Came with opset 3.
TEST(OnnxGru, RefusesLinearBeforeResetInTheFirstOpset) {
    auto node = gru("forward", true, false);
    test::expect_error<UnsupportedError>(
        [&] { node.model(1).read(); },
        "node 'the_GRU' (GRU): attribute 'linear_before_reset' is not known");
}

TEST(OnnxGru, RefusesAnInputTooMany) {
    auto node = gru("forward", false, true);
    auto model = node.model();
    model.graph().mutable_node(0)->add_input("B");
    test::expect_error<ModelError>([&] { model.read(); },
                                   "node 'the_GRU' (GRU): input 6 is not known");
}

}  // namespace
}  // namespace rondo::onnx::gru_test
