// Tests a part of frontend/onnx/ops/movement/views.cpp.
#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"
#include "tests/support/tensors.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::bit_cast_test {
namespace {

using test::expect_error;
using test::expect_same;
using test::ModelBuilder;
using test::tensor_of;

ModelBuilder bit_cast(ElementType from, ElementType to) {
    ModelBuilder model(26);
    model.input("x", from, {-1}).output("y");
    model.node("BitCast", {"x"}, {"y"}).with("to", test::to_onnx(to));
    return model;
}

TEST(OnnxBitCast, KeepsTheBytes) {
    expect_same(
        bit_cast(ElementType::f32, ElementType::u32).run({tensor_of<float>({2}, {1, 0})}).at(0),
        tensor_of<std::uint32_t>({2}, {0x3f800000, 0}));
    expect_same(
        bit_cast(ElementType::i64, ElementType::f64).run({tensor_of<std::int64_t>({1}, {0})}).at(0),
        tensor_of<double>({1}, {0}));
    expect_same(bit_cast(ElementType::f16, ElementType::f16)
                    .run({tensor_of<float16, float>({1}, {3})})
                    .at(0),
                tensor_of<float16, float>({1}, {3}));
    expect_same(bit_cast(ElementType::boolean, ElementType::u8)
                    .run({tensor_of<bool>({2}, {true, false})})
                    .at(0),
                tensor_of<std::uint8_t>({2}, {1, 0}));
    expect_same(bit_cast(ElementType::u8, ElementType::boolean)
                    .run({tensor_of<std::uint8_t>({2}, {0, 7})})
                    .at(0),
                tensor_of<bool>({2}, {false, true}));
}

TEST(OnnxBitCast, RefusesOtherSizes) {
    expect_error<ModelError>([] { bit_cast(ElementType::f32, ElementType::f16).read(); },
                             "expected a type of the same size");
    expect_error<UnsupportedError>([] { bit_cast(ElementType::f32, ElementType::boolean).read(); },
                                   "boolean; expected numbers");
    ModelBuilder model(26);
    model.input("x", ElementType::f32, {1}).output("y").node("BitCast", {"x"}, {"y"});
    expect_error<ModelError>([&] { model.read(); }, "attribute 'to' is missing");
}

}  // namespace
}  // namespace rondo::onnx::bit_cast_test
