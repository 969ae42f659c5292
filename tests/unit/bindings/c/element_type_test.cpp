#include "rondo/c/element_type.h"

#include "tests/unit/bindings/c/c_api.hpp"

namespace rondo::test::element_type_test {
namespace {

const auto kNoType = static_cast<rondo_element_type_t>(99);

TEST(CElementType, KnowsSizesAndNames) {
    EXPECT_EQ(rondo_element_size(RONDO_F16), 2u);
    EXPECT_EQ(rondo_element_size(RONDO_DYNAMIC), 0u);
    EXPECT_EQ(rondo_element_size(kNoType), 0u);
    EXPECT_STREQ(rondo_element_type_name(RONDO_BOOLEAN), "boolean");
    EXPECT_STREQ(rondo_element_type_name(kNoType), "unknown type");
}

TEST(CElementType, NamesAndNumbersAgree) {
    for (int number = RONDO_BOOLEAN; number <= RONDO_U2; ++number) {
        const auto type = static_cast<rondo_element_type_t>(number);
        rondo_element_type_t read = RONDO_DYNAMIC;
        expect_ok(rondo_element_type_from_name(rondo_element_type_name(type), &read));
        EXPECT_EQ(read, type);
    }
}

TEST(CElementType, RefusesUnknownNames) {
    rondo_element_type_t type = RONDO_F32;
    expect_status(rondo_element_type_from_name("f31", &type), RONDO_MODEL_ERROR, "f31");
    EXPECT_EQ(type, RONDO_DYNAMIC);
    expect_status(rondo_element_type_from_name("string", &type), RONDO_UNSUPPORTED, "string");
}

}  // namespace
}  // namespace rondo::test::element_type_test
