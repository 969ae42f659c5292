#include "tools/rondo/version.hpp"

#include <gmock/gmock.h>

#include "rondo/core.hpp"
#include "rondo/version.hpp"
#include "tests/unit/tools/rondo/command.hpp"

namespace rondo::tool::version_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::StartsWith;

TEST(Version, NamesWhatWasBuilt) {
    const std::string text = version_text();
    EXPECT_THAT(text, StartsWith(RONDO_VERSION "\ncommit:   "));
    EXPECT_THAT(text, ContainsRegex("\ncommit:   ([0-9a-f]{7,40}(-changed)?|unknown)\n"));
    EXPECT_THAT(text, ContainsRegex("\ncompiler: (g\\+\\+|clang) [0-9]+\\.[0-9]"));
    EXPECT_THAT(text, ContainsRegex("\ndevices:  .*kernels up to (plain|avx2|avx512)"));
    EXPECT_THAT(text, ContainsRegex("\nfeatures: IR"));
}

TEST(Version, IsWhatTheCommandPrints) {
    const Outcome outcome = rondo_command("--version");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.text, version_text() + "\n");
}

TEST(Version, MacrosAreThoseOfTheLibrary) {
    EXPECT_EQ(get_version().build_number, RONDO_VERSION);
    const std::string parts = std::to_string(RONDO_VERSION_MAJOR) + "." +
                              std::to_string(RONDO_VERSION_MINOR) + "." +
                              std::to_string(RONDO_VERSION_PATCH);
    EXPECT_EQ(parts, RONDO_VERSION);
    EXPECT_TRUE(RONDO_VERSION_AT_LEAST(RONDO_VERSION_MAJOR, RONDO_VERSION_MINOR, 0));
    EXPECT_FALSE(RONDO_VERSION_AT_LEAST(RONDO_VERSION_MAJOR, RONDO_VERSION_MINOR + 1, 0));
    EXPECT_FALSE(RONDO_VERSION_AT_LEAST(RONDO_VERSION_MAJOR + 1, 0, 0));
}

}  // namespace
}  // namespace rondo::tool::version_test
