#include "tests/support/case_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace rondo::test::case_writer_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

int run(std::vector<std::string> arguments, const std::function<bool(const Arguments&)>& action) {
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    return run_writer("writer", "usage of it", static_cast<int>(argv.size()), argv.data(), action);
}

TEST(CaseWriter, ReadsFolderAndSeeds) {
    const auto range = seed_range({"out", "7", "2"});
    ASSERT_TRUE(range);
    std::vector<std::string> written;
    write_seeds(*range, [&](const std::filesystem::path& folder, std::uint64_t seed) {
        written.push_back(folder.string() + " " + std::to_string(seed));
    });
    EXPECT_THAT(written, ElementsAre("out/seed_7 7", "out/seed_8 8"));
}

TEST(CaseWriter, TakesNoOtherSeeds) {
    EXPECT_FALSE(seed_range({"out"}));
    EXPECT_FALSE(seed_range({"out", "-1", "2"}));
    EXPECT_FALSE(seed_range({"out", "1", "-2"}));
    EXPECT_FALSE(seed_range({"out", "1", "2x"}));
    EXPECT_FALSE(seed_range({"out", "1", "2", "3"}));
}

TEST(CaseWriter, ShowsItsUsageWhereArgumentsDontFit) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(run({"out"}, [](const Arguments& arguments) { return arguments.empty(); }), 1);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "usage of it");
    testing::internal::CaptureStdout();
    EXPECT_EQ(run({"--help"}, [](const Arguments&) { return true; }), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "usage of it");
    EXPECT_EQ(run({"out"}, [](const Arguments& arguments) { return arguments[0] == "out"; }), 0);
}

TEST(CaseWriter, ShowsWhatIsThrown) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"out"}, [](const Arguments&) -> bool { throw std::runtime_error("disk"); }), 1);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("writer: disk"));
}

}  // namespace
}  // namespace rondo::test::case_writer_test
