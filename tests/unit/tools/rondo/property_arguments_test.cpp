#include "tools/rondo/property_arguments.hpp"

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tool {
namespace {

TEST(PropertyArguments, PairsAndTheCachesFolder) {
    EXPECT_TRUE(parse_properties({}).empty());
    EXPECT_EQ(parse_properties({{"NUM_STREAMS=2", "CACHE_DIR=a=b"}, ""}),
              (Properties{{"NUM_STREAMS", "2"}, {"CACHE_DIR", "a=b"}}));
    EXPECT_EQ(parse_properties({{"X="}, "folder"}),
              (Properties{{"X", ""}, {"CACHE_DIR", "folder"}}));
}

TEST(PropertyArguments, RefusesOtherTexts) {
    for (const char* text : {"NUM_STREAMS", "=2", ""}) {
        test::expect_error<ModelError>(
            [&] {
                parse_properties({{text}, ""});
            },
            "expected NAME=VALUE");
    }
    test::expect_error<ModelError>(
        [] {
            parse_properties({{"A=1", "A=2"}, ""});
        },
        "the property 'A' is given twice");
    test::expect_error<ModelError>(
        [] {
            parse_properties({{"CACHE_DIR=1"}, "2"});
        },
        "the property 'CACHE_DIR' is given twice");
}

}  // namespace
}  // namespace rondo::tool
