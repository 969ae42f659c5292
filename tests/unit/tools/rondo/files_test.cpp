#include "tools/rondo/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"

namespace rondo::tool::files_test {
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
    const std::string path = test::temporary_path("written");
    write_file(path, {"one ", "", "two"});
    std::ifstream file(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one two");
    write_file(path, {});
    EXPECT_EQ(std::filesystem::file_size(path), 0u);
}

TEST(Files, AreReadWhole) {
    const std::string path = test::temporary_path("read");
    const std::string bytes(3000000, 'x');
    write_file(path, {bytes});
    EXPECT_EQ(file_bytes(path), bytes);
    write_file(path, {});
    EXPECT_EQ(file_bytes(path), "");
    EXPECT_NE(file_bytes("/proc/self/status").find("Pid:"), std::string::npos);  // its size is 0
    std::filesystem::remove(path);
    test::expect_error<ModelError>([&] { file_bytes(path); },
                                   ": can't read the file: No such file or directory");
    for (const char* other : {"/tmp", "/dev/zero"}) {
        test::expect_error<ModelError>(
            [&] { file_bytes(other); },
            std::string(other) + ": can't read the file: it is not a regular file");
    }
}

TEST(Files, PipesAreReadToTheirEnd) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], "bytes", 5), 5);
    std::thread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_EQ(::write(ends[1], " later", 6), 6);
        ::close(ends[1]);
    });
    EXPECT_EQ(file_bytes("/dev/fd/" + std::to_string(ends[0])), "bytes later");
    writer.join();
    ::close(ends[0]);
    // One that no program writes to doesn't block.
    const std::string path = test::temporary_path("fifo");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(file_bytes(path), "");
}

TEST(Files, ACheckLeavesThemAsTheyAre) {
    const std::string path = test::temporary_path("check");
    check_writable(path);
    EXPECT_FALSE(std::filesystem::exists(path));
    write_file(path, {"text"});
    check_writable(path);
    EXPECT_EQ(file_bytes(path), "text");
    std::filesystem::remove(path);
    check_writable("/dev/null");
    for (const char* other : {"/none/x", "/proc/x", "/tmp"}) {
        test::expect_error<ModelError>([&] { check_writable(other); },
                                       std::string(other) + ": can't write the file: ");
    }
}

TEST(Files, AWriterThatFailsDoesNotKeepTheOthers) {
    int calls = 0;
    const auto fails = [&] { throw ModelError("fault " + std::to_string(++calls)); };
    test::expect_error<ModelError>(
        [&] {
            call_each({fails, [&] { ++calls; }, fails});
        },
        "fault 1; fault 3");
    EXPECT_NO_THROW(call_each({[&] { ++calls; }}));
    EXPECT_EQ(calls, 4);
}

TEST(Files, AWriteThatFailsLeavesNoFile) {
    test::expect_error<ModelError>([] { write_file("/none/x", {"a"}); },
                                   "/none/x: can't write the file: there is no folder '/none'");
    test::expect_error<ModelError>([] { write_file("/dev/full", {"a"}); },
                                   "/dev/full: can't write the file: No space left on device");
    const std::string path = test::temporary_path("limit");
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
}  // namespace rondo::tool::files_test
