// Tests a part of core/ops/product/matmul.hpp.
#include "core/ops/product/matmul.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/core/ops/movement/movement_nodes.hpp"

namespace rondo::det_test {
namespace {

using namespace test;  // NOLINT: tests only

Tensor det(const Tensor& x) { return evaluate_one(ops::Det(), {x}); }

TEST(Det, DropsTheMatrixAxes) {
    EXPECT_EQ(inferred(*named<ops::Det>(parameter("3,3"))), "f32[]");
    EXPECT_EQ(inferred(*named<ops::Det>(parameter("2,?,3,?"))), "f32[2,?]");
    EXPECT_EQ(inferred(*named<ops::Det>(parameter("..."))), "f32[...]");
    expect_error<ModelError>([] { named<ops::Det>(parameter("2,3")); },
                             "node 'n' (Det): the input has shape [2,3]; expected square matrices");
    expect_error<ModelError>([] { named<ops::Det>(parameter("2")); }, "expected square matrices");
    expect_error<UnsupportedError>([] { named<ops::Det>(parameter("2,2", ElementType::i32)); },
                                   "the input is i32; expected");
}

TEST(Det, MultipliesPivots) {
    expect_near(det(floats({2, 2}, {1, 2, 3, 4})), scalar_of(-2.0F), 1e-6);
    expect_near(det(floats({3, 1, 1}, {5, 0, -2})), floats({3}, {5, 0, -2}), 0);
    expect_near(det(floats({3, 3}, {0, 2, 1, 1, 0, 3, 2, 1, 0})), scalar_of(13.0F), 1e-5);
    expect_near(det(floats({1, 2, 2}, {1, 2, 2, 4})), floats({1}, {0}), 1e-6);
    expect_near(det(floats({2, 0, 0}, {})), floats({2}, {1, 1}), 0);
    EXPECT_EQ(det(floats({0, 2, 2}, {})).shape(), (Shape{0}));
}

}  // namespace
}  // namespace rondo::det_test
