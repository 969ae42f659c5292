#include "rondo/element_type.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::element_type_test {
namespace {

using test::expect_error;

constexpr ElementType kFirst = ElementType::dynamic;
constexpr ElementType kLast = ElementType::u8;

TEST(ElementType, ReadsBackItsNames) {
    for (int i = static_cast<int>(kFirst); i <= static_cast<int>(kLast); ++i) {
        const auto type = static_cast<ElementType>(i);
        EXPECT_EQ(element_type_from_string(to_string(type)), type);
    }
    EXPECT_EQ(to_string(ElementType::bf16), "bf16");
    EXPECT_EQ(to_string(ElementType::u16), "u16");
}

TEST(ElementType, ReadsPortPrecisions) {
    EXPECT_EQ(element_type_from_string("FP32"), ElementType::f32);
    EXPECT_EQ(element_type_from_string(" fp16 "), ElementType::f16);
    EXPECT_EQ(element_type_from_string("BOOL"), ElementType::boolean);
    EXPECT_EQ(element_type_from_string("UNSPECIFIED"), ElementType::dynamic);
}

TEST(ElementType, KnowsSizes) {
    EXPECT_EQ(size_of(ElementType::dynamic), 0u);
    EXPECT_EQ(size_of(ElementType::boolean), 1u);
    EXPECT_EQ(size_of(ElementType::f64), 8u);
    EXPECT_EQ(size_of(element_type_of<float16>()), sizeof(float16));
    EXPECT_EQ(size_of(element_type_of<bfloat16>()), sizeof(bfloat16));
    EXPECT_EQ(size_of(element_type_of<std::int32_t>()), 4u);
    EXPECT_EQ(size_of(element_type_of<std::uint64_t>()), 8u);
    EXPECT_EQ(size_of(element_type_of<std::int8_t>()), 1u);
}

TEST(ElementType, TellsFloatsFromIntegers) {
    EXPECT_TRUE(is_floating(ElementType::bf16));
    EXPECT_FALSE(is_floating(ElementType::i8));
    EXPECT_TRUE(is_integral(ElementType::u16));
    EXPECT_FALSE(is_integral(ElementType::boolean));
    EXPECT_FALSE(is_integral(ElementType::dynamic));
    EXPECT_FALSE(is_integral(ElementType::f16));
}

TEST(ElementType, NarrowTypesAreNeitherFloatsNorIntegers) {
    for (const ElementType type :
         {ElementType::f8e4m3, ElementType::f4e2m1, ElementType::i4, ElementType::u2}) {
        EXPECT_TRUE(is_narrow(type));
        EXPECT_FALSE(is_floating(type) || is_integral(type));
        EXPECT_EQ(size_of(type), 1u);
        EXPECT_EQ(element_type_from_string(to_string(type)), type);
    }
    EXPECT_FALSE(is_narrow(ElementType::u8) || is_narrow(ElementType::dynamic));
}

TEST(ElementType, RefusesOtherNames) {
    for (const char* name : {"string", "u1", "u3", "nf4", "complex64"}) {
        expect_error<UnsupportedError>([&] { element_type_from_string(name); },
                                       std::string("element type '") + name + "' is not supported");
    }
    expect_error<ModelError>([] { element_type_from_string("f31"); },
                             "unknown element type 'f31'; there are f64, f32");
    expect_error<ModelError>([] { element_type_from_string(""); }, "unknown element type ''");
}

}  // namespace
}  // namespace rondo::element_type_test
