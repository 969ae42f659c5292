// Tests a part of core/ops/reference/common/numbers.hpp.
#include "core/ops/reference/common/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"

namespace rondo::reference::doubles_test {
namespace {

using test::expect_error;
using test::tensor_of;

template <typename T>
T narrowed(double value) {
    Tensor tensor(element_type_of<T>(), {1});
    from_doubles(std::vector<double>{value}, tensor);
    return tensor.data<T>()[0];
}

TEST(Doubles, KeepExactValuesOfEveryType) {
    const std::vector<double> values = {0, -1.5, 0.0078125, 240};
    EXPECT_EQ(to_doubles(tensor_of<double>({4}, values)), values);
    EXPECT_EQ(to_doubles(tensor_of<float, double>({4}, values)), values);
    EXPECT_EQ(to_doubles(tensor_of<float16, double>({4}, values)), values);
    EXPECT_EQ(to_doubles(tensor_of<bfloat16, double>({4}, values)), values);
    for (const auto type :
         {ElementType::f64, ElementType::f32, ElementType::f16, ElementType::bf16}) {
        Tensor tensor(type, {2, 2});
        from_doubles(values, tensor);
        EXPECT_EQ(to_doubles(tensor), values) << to_string(type);
    }
}

// Just above the tie between 1 and the next f16 (2^-10 away): a detour through a rounded float
// falls on the tie and then to even, which is 1.
TEST(Doubles, RoundOnce) {
    EXPECT_EQ(narrowed<float16>(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
    EXPECT_EQ(narrowed<float16>(1 + 0x1p-11).bits, 0x3c00);
    EXPECT_EQ(narrowed<float16>(1 + 0x3p-11 - 0x1p-40).bits, 0x3c01);
    EXPECT_EQ(narrowed<float16>(-1 - 0x1p-11 - 0x1p-40).bits, 0xbc01);
    EXPECT_EQ(narrowed<bfloat16>(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
    EXPECT_EQ(narrowed<bfloat16>(1 + 0x1p-8).bits, 0x3f80);
}

TEST(Doubles, KeepSpecialValues) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(narrowed<float16>(kInfinity).bits, 0x7c00);
    EXPECT_EQ(narrowed<float16>(1e300).bits, 0x7c00);
    EXPECT_EQ(narrowed<bfloat16>(-1e300).bits, 0xff80);
    EXPECT_EQ(narrowed<float16>(-0.0).bits, 0x8000);
    EXPECT_TRUE(std::isnan(static_cast<float>(narrowed<float16>(std::nan("")))));
    EXPECT_TRUE(std::isnan(static_cast<float>(narrowed<bfloat16>(std::nan("")))));
}

TEST(Doubles, RefuseOtherTypesAndSizes) {
    Tensor integers(ElementType::i32, {1});
    expect_error<InternalError>([&] { to_doubles(integers); }, "isn't floating");
    expect_error<InternalError>([&] { from_doubles(std::vector<double>{1}, integers); },
                                "isn't floating");
    Tensor two(ElementType::f32, {2});
    expect_error<InternalError>([&] { from_doubles(std::vector<double>{1}, two); },
                                "differ in size");
}

}  // namespace
}  // namespace rondo::reference::doubles_test
