// Tests a part of core/ir/composed_ops.hpp.
#include "core/ir/composed_ops.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ir/composed_layer.hpp"

namespace rondo::ir::composed_fake_quantize_test {
namespace {

using namespace test;  // NOLINT: tests only

// As OpenVINO 2026.4's CPU device gives them.
TEST(ComposedFakeQuantize, RoundsToLevels) {
    const Tensor x = floats({6}, {-3, -1, -0.4F, 0.26F, 0.9F, 2});
    const auto one = [](float value) { return scalar_of(value); };
    const Tensor y = run_layer("FakeQuantize", "opset1", {{"levels", "5"}},
                               {x, one(-1), one(1), one(0), one(8)});
    expect_near(y, floats({6}, {0, 0, 2, 6, 8, 8}), 1e-6);
    const Tensor turned = run_layer("FakeQuantize", "opset1", {{"levels", "2"}},
                                    {x, one(0), one(1), one(5), one(-5)});
    expect_near(turned, floats({6}, {5, 5, 5, 5, -5, -5}), 1e-6);
}

TEST(ComposedFakeQuantize, HasRangesOfItsChannels) {
    const Tensor x = floats({1, 2, 2}, {0.2F, 0.7F, 0.2F, 0.7F});
    const Tensor low = floats({1, 2, 1}, {0, 0}), high = floats({1, 2, 1}, {1, 0.5F});
    const Tensor y =
        run_layer("FakeQuantize", "opset1", {{"levels", "2"}, {"auto_broadcast", "numpy"}},
                  {x, low, high, low, high});
    expect_near(y, floats({1, 2, 2}, {0, 1, 0, 0.5F}), 1e-6);
}

TEST(ComposedFakeQuantize, RefusesWhatItLacks) {
    const Tensor x = floats({1}, {1});
    expect_error<ModelError>(
        [&] {
            run_layer("FakeQuantize", "opset1", {{"levels", "1"}}, {x, x, x, x, x});
        },
        "levels is 1; expected 2 or more");
    expect_error<UnsupportedError>(
        [&] {
            run_layer("FakeQuantize", "opset1", {{"auto_broadcast", "pdpd"}}, {x, x, x, x, x});
        },
        "auto_broadcast is 'pdpd'");
}

}  // namespace
}  // namespace rondo::ir::composed_fake_quantize_test
