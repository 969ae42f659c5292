#include "core/runtime/properties/property_values.hpp"

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::property_values_test {
namespace {

TEST(PropertyValues, Switches) {
    for (const char* text : {"YES", "yes", "True"}) EXPECT_TRUE(switch_of("X", text)) << text;
    for (const char* text : {"NO", "no", "False"}) EXPECT_FALSE(switch_of("X", text)) << text;
    EXPECT_TRUE(switch_of(Properties{{"X", "YES"}}, "X", false));
    EXPECT_TRUE(switch_of(Properties{}, "X", true));
    EXPECT_STREQ(switch_text(true), "YES");
    EXPECT_STREQ(switch_text(false), "NO");
}

TEST(PropertyValues, ARefusalNamesPropertyGotAndExpected) {
    test::expect_error<ModelError>([] { switch_of("X", "1"); },
                                   "property 'X': got '1'; expected YES or NO");
}

}  // namespace
}  // namespace rondo::property_values_test
