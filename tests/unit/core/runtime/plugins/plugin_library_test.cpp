#include "core/runtime/plugins/plugin_library.hpp"

#include <gtest/gtest.h>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::test::plugin_library_test {
namespace {

// The folder that has echo_plugin.cpp, and bad_plugin.cpp in its forms.
std::string library(const std::string& name) {
    return std::string(RONDO_TEST_PLUGINS) + "/librondo_" + name + "_plugin.so";
}

template <typename Kind = ModelError>
void expect_refusal(const std::string& path, const std::string& text) {
    expect_error<Kind>([&] { load_plugin(path); }, path + ": " + text);
}

TEST(PluginLibrary, LoadsAPlugin) {
    EXPECT_EQ(load_plugin(library("echo"))->version().description, "a plugin for tests");
}

TEST(PluginLibrary, RefusesWhatIsNoPlugin) {
    expect_refusal("/nowhere/x.so", "can't load the plugin: ");
    expect_refusal("libpthread.so.0",
                   "is not a plugin: it doesn't define rondo_plugin_version(), as "
                   "RONDO_DEFINE_PLUGIN does");
    expect_refusal(library("no_create"), "is not a plugin: it doesn't define rondo_create_plugin");
    expect_refusal(library("null"), "rondo_create_plugin() made no plugin");
}

TEST(PluginLibrary, RefusesOtherVersions) {
    expect_refusal(library("old"), "the plugin was built with Rondo '0.0.9', but this is ");
    expect_refusal(library("long"), "the plugin was built with Rondo '0.10.0', but this is ");
    expect_refusal(library("no_version"), "the plugin was built with Rondo '', but this is ");
}

TEST(PluginLibrary, APatchIsTheSameVersion) {
    expect_refusal<Error>(library("patched"), "threw what is neither an Error");
}

TEST(PluginLibrary, NamesTheLibraryWhereTheConstructorThrows) {
    expect_refusal<UnsupportedError>(library("throwing"), "there is no such chip");
}

}  // namespace
}  // namespace rondo::test::plugin_library_test
