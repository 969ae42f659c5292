#include "transformations/analysis/affine_expr.hpp"

#include <gtest/gtest.h>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "tests/support/bodies.hpp"

namespace rondo::passes::affine_expr_test {
namespace {

using namespace test;  // NOLINT: tests only
using ops::BinaryFunction;

// Two parameters are the extent and the number of the iteration, which is one less.
class AffineExprs : public testing::Test {
protected:
    Output binary(BinaryFunction function, const Output& x, const Output& y) {
        return b_.make<ops::Binary>("", function, x, y);
    }
    Output number(std::int64_t value) { return i64(b_, value); }

    std::optional<AffineExpr> read(const Output& value) const {
        return affine_expr(value, {[&](const Output& leaf) {
                                       return leaf == counter_ ? std::optional<std::int64_t>(1)
                                                               : std::nullopt;
                                   },
                                   [&](const Output& leaf) { return leaf == extent_; },
                                   [](const Output&) { return Output(); }});
    }

    void expect(const Output& value, const AffineExpr& expected, const Dimension& extent = {}) {
        const auto found = read(value);
        ASSERT_TRUE(found);
        EXPECT_TRUE(are_equal(*found, expected, extent))
            << found->extent << " T + " << found->counter << " i + " << found->constant;
    }

    GraphBuilder b_;
    Output extent_ = b_.input("extent", "", ElementType::i64);
    Output counter_ = b_.input("counter", "", ElementType::i64);
};

TEST_F(AffineExprs, AreSums) {
    expect(extent_, {1, 0, 0});
    expect(counter_, {0, 1, 1});
    expect(number(-7), {0, 0, -7});
    expect(
        binary(BinaryFunction::subtract, binary(BinaryFunction::add, extent_, number(3)), counter_),
        {1, -1, 2});
    expect(binary(BinaryFunction::multiply, number(-1), counter_), {0, -1, -1});
    expect(b_.make<ops::Unary>("", ops::UnaryFunction::negative, extent_), {-1, 0, 0});
}

TEST_F(AffineExprs, AreReadBehindWhatKeepsThem) {
    const Output real = b_.make<ops::Convert>("", b_.unsqueeze(extent_, {0}), ElementType::f32);
    const Output quotient =
        binary(BinaryFunction::divide, real, b_.constant(tensor_of<float>({1}, {-1})));
    expect(b_.make<ops::Unary>("", ops::UnaryFunction::ceiling, quotient), {-1, 0, 0});
    expect(binary(BinaryFunction::maximum, number(0), extent_), {1, 0, 0});
    expect(binary(BinaryFunction::maximum, counter_, number(0)), {0, 1, 1});
}

TEST_F(AffineExprs, AreNothingElse) {
    EXPECT_FALSE(read(binary(BinaryFunction::multiply, extent_, counter_)));
    EXPECT_FALSE(read(binary(BinaryFunction::divide, extent_, number(2))));
    EXPECT_FALSE(read(b_.constant(scalar_of(0.5F))));
    EXPECT_FALSE(read(number(std::int64_t{1} << 40)));
    EXPECT_FALSE(read(binary(BinaryFunction::maximum, counter_, number(3))));
    EXPECT_FALSE(read(binary(BinaryFunction::add, b_.input("x", "", ElementType::i64), extent_)));
    const Output narrow = b_.make<ops::Convert>("", extent_, ElementType::i8);
    EXPECT_FALSE(read(narrow));
}

TEST_F(AffineExprs, AreEqualForKnownExtents) {
    EXPECT_TRUE(are_equal({1, -1, -1}, {0, -1, 4}, 5));
    EXPECT_FALSE(are_equal({1, -1, -1}, {0, -1, 4}, 6));
    EXPECT_FALSE(are_equal({1, -1, -1}, {0, -1, 4}, Dimension()));
    EXPECT_FALSE(are_equal({0, 1, 0}, {0, -1, 0}, 1));
}

}  // namespace
}  // namespace rondo::passes::affine_expr_test
