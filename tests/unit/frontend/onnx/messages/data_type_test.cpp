#include "frontend/onnx/messages/data_type.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::onnx::data_type_test {
namespace {

using test::expect_error;

TEST(OnnxDataType, KnowsEveryTypeThatTensorsHave) {
    for (const auto type : {ElementType::boolean,    ElementType::f64,        ElementType::f32,
                            ElementType::f16,        ElementType::bf16,       ElementType::i64,
                            ElementType::i32,        ElementType::i16,        ElementType::i8,
                            ElementType::u64,        ElementType::u32,        ElementType::u16,
                            ElementType::u8,         ElementType::f8e4m3,     ElementType::f8e5m2,
                            ElementType::f8e4m3fnuz, ElementType::f8e5m2fnuz, ElementType::f8e8m0,
                            ElementType::f4e2m1,     ElementType::i4,         ElementType::u4,
                            ElementType::i2,         ElementType::u2}) {
        EXPECT_EQ(element_type_from_onnx(test::to_onnx(type)), type);
    }
}

TEST(OnnxDataType, RefusesTheOthersByName) {
    expect_error<UnsupportedError>([] { element_type_from_onnx(8); },
                                   "the element type 8 (STRING) is not supported");
    expect_error<UnsupportedError>([] { element_type_from_onnx(14); }, "14 (COMPLEX64)");
    expect_error<UnsupportedError>([] { element_type_from_onnx(27); }, "27 (FLOAT6E2M3)");
}

TEST(OnnxDataType, RefusesNumbersThatNobodyKnows) {
    expect_error<UnsupportedError>([] { element_type_from_onnx(4711); },
                                   "the element type 4711 is not supported");
    expect_error<UnsupportedError>([] { element_type_from_onnx(-1); },
                                   "the element type -1 is not supported");
    expect_error<ModelError>([] { element_type_from_onnx(0); }, "the element type is undefined");
}

}  // namespace
}  // namespace rondo::onnx::data_type_test
