// Tests a part of frontend/onnx/ops/recurrent/layers.cpp.
#include <gtest/gtest.h>

#include "tests/unit/frontend/onnx/ops/recurrent/onnx_recurrent.hpp"

namespace rondo::onnx::rnn_test {
namespace {

using ops::ActivationKind;
using test::OnnxRecurrent;

OnnxRecurrent rnn(const std::string& direction, bool all) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "RNN", .direction = direction};
    node.fill(rng, all);
    return node;
}

TEST(OnnxRnn, FollowsTheFormulas) {
    for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        rnn(direction, false).check();
        rnn(direction, true).check();
    }
}

TEST(OnnxRnn, FollowsTheFormulasInEveryOpset) {
    for (const std::int64_t opset : {1, 7, 14, 22}) rnn("bidirectional", true).check(opset);
}

TEST(OnnxRnn, TakesWeightsAtRunTime) { rnn("bidirectional", true).check(14, true); }

TEST(OnnxRnn, HonoursEveryOption) {
    auto node = rnn("bidirectional", true);
    node.clip = 0.4f;
    node.activations = {{{ActivationKind::relu, 0, 0}},
                        {{ActivationKind::thresholded_relu, 0.1f, 0}}};
    node.check();
}

TEST(OnnxRnn, HonoursLayoutOne) {
    auto rng = test::test_rng();
    OnnxRecurrent node{.op_type = "RNN", .direction = "bidirectional", .layout = true};
    node.fill(rng, true);
    node.check();
}

}  // namespace
}  // namespace rondo::onnx::rnn_test
