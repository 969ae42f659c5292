#include "tools/rondo/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"

namespace rondo::tool {
namespace {

PortInfo named(const std::string& name) { return {{name}, ElementType::f32, {}}; }

TEST(Files, OutputNamesBecomePlain) {
    EXPECT_EQ(npy_names({named("a/b:0"), named("Y_h.1-x"), named("\xc3\xbc")}),
              (std::vector<std::string>{"a_b_0.npy", "Y_h.1-x.npy", "_.npy"}));
}

TEST(Files, EqualNamesAreNumbered) {
    EXPECT_EQ(npy_names({named("a/b"), named("a_b"), named("a:b")}),
              (std::vector<std::string>{"a_b.npy", "a_b_1.npy", "a_b_2.npy"}));
}

TEST(Files, AFolderThatCannotBeIsRefused) {
    test::expect_error<ModelError>([] { make_folder("/dev/null/x"); },
                                   "/dev/null/x: can't make the folder");
}

TEST(Files, AreWrittenWhole) {
    const std::string path = ::testing::TempDir() + "/rondo_files_test";
    write_file(path, {"one ", "", "two"});
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one two");
    write_file(path, {});
    EXPECT_EQ(std::filesystem::file_size(path), 0u);
    std::filesystem::remove(path);
}

TEST(Files, AWriteThatFailsLeavesNoFile) {
    test::expect_error<ModelError>([] { write_file("/none/x", {"a"}); },
                                   "/none/x: can't write the file: there is no folder '/none'");
    test::expect_error<ModelError>([] { write_file("/dev/full", {"a"}); },
                                   "/dev/full: can't write the file: No space left on device");
    const std::string path = ::testing::TempDir() + "/rondo_files_test_limit";
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // else the limit kills the process
    const rlimit small{100, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    test::expect_error<ModelError>([&] { write_file(path, {std::string(1000, 'a')}); },
                                   "can't write the file: File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace rondo::tool
