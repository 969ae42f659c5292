#include "tools/rondo/property_arguments.hpp"

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::tool::property_arguments_test {
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

TEST(PropertyArguments, ThoseWithoutEffectAreNotedAndNotKept) {
    const PropertyOptions options{{"EXECUTION_MODE_HINT=ACCURACY", "NUM_STREAMS=2"}, ""};
    EXPECT_EQ(parse_properties(options), (Properties{{"NUM_STREAMS", "2"}}));
    ::testing::internal::CaptureStderr();
    core_for(options);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "rondo: the property 'EXECUTION_MODE_HINT' is OpenVINO's and has no effect here\n");
}

TEST(PropertyArguments, LimitsHoldWhereAModelIsRead) {
    const std::string path = RONDO_SOURCE_DIR "/tests/data/ir/lstm_model.xml";
    EXPECT_NO_THROW(core_for({{"NUM_STREAMS=2", "MAX_NODES=100"}, ""}).read_model(path));
    test::expect_error<UnsupportedError>(
        [&] {
            core_for({{"MAX_NODES=2"}, ""}).read_model(path);
        },
        "property 'MAX_NODES'");
    test::expect_error<ModelError>([] { core_for({{"MAX_TENSORS=2"}, ""}); }, "no property");
}

TEST(PropertyArguments, PluginsAreRegistered) {
    test::expect_error<ModelError>(
        [] {
            core_for({{}, "", {"MINE=/nowhere/x.so"}});
        },
        "/nowhere/x.so: can't load the plugin");
    for (const char* text : {"MINE", "=x.so", ""}) {
        test::expect_error<ModelError>(
            [&] {
                core_for({{}, "", {text}});
            },
            "expected NAME=FILE, such as MINE=./libmine.so");
    }
}

}  // namespace
}  // namespace rondo::tool::property_arguments_test
