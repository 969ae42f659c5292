// Tests a part of core/ir/compressed_weights.hpp.
#include "core/ir/compressed_weights.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/tensors.hpp"

namespace rondo::ir::nf4_values_test {
namespace {

// Peer of the values: OpenVINO 2026.4's Convert of a constant of nf4 to f32.
TEST(Nf4Values, AreThoseOfTheCodes) {
    Tensor codes(ElementType::u4, {2, 8});
    auto* first = static_cast<std::uint8_t*>(codes.data());
    std::iota(first, first + 16, std::uint8_t{0});
    const Tensor values = nf4_values(codes);
    EXPECT_EQ(values.shape(), (Shape{2, 8}));
    const float expected[] = {-1,        -0.69619F, -0.52507F, -0.39492F, -0.28444F, -0.18477F,
                              -0.09105F, 0,         0.07958F,  0.16093F,  0.24611F,  0.33792F,
                              0.44071F,  0.56262F,  0.72296F,  1};
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(values.data<float>()[i], expected[i], 1e-5F);
}

}  // namespace
}  // namespace rondo::ir::nf4_values_test
