#include "core/ir/output_file.hpp"

#include <grp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "tests/support/forked_child.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::output_file_test {
namespace {

using ir::OutputFile;
using test::expect_error;

std::size_t files_in(const test::TemporaryFolder& folder) {
    const std::filesystem::directory_iterator files(folder.path());
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(OutputFile, AppearsOnlyWhenPublished) {
    const test::TemporaryFolder folder;
    OutputFile file(folder / "x.bin");
    file.write("hello", 5);
    file.finish();
    EXPECT_FALSE(std::filesystem::exists(folder / "x.bin"));
    file.publish();
    EXPECT_EQ(test::bytes_of(folder / "x.bin"), "hello");
    EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, ReplacesTheOldFile) {
    const test::TemporaryFolder folder;
    test::write_bytes(folder / "x.bin", "old and longer");
    OutputFile file(folder / "x.bin");
    file.write("new", 3);
    file.finish();
    file.publish();
    EXPECT_EQ(test::bytes_of(folder / "x.bin"), "new");
}

TEST(OutputFile, LeavesNothingWhenAbandoned) {
    const test::TemporaryFolder folder;
    test::write_bytes(folder / "x.bin", "old");
    {
        OutputFile file(folder / "x.bin");
        file.write("new", 3);
    }
    EXPECT_EQ(test::bytes_of(folder / "x.bin"), "old");
    EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, ComparesWhatItHolds) {
    const test::TemporaryFolder folder;
    OutputFile file(folder / "x.bin");
    const std::string large(200000, 'a');  // longer than what is read back at once
    file.write("xy", 2);
    file.write(large.data(), large.size());
    EXPECT_EQ(file.size(), large.size() + 2);
    EXPECT_TRUE(file.holds(2, large.data(), large.size()));
    EXPECT_FALSE(file.holds(1, large.data(), large.size()));
    EXPECT_FALSE(file.holds(3, large.data(), large.size()));  // passes the end
}

TEST(OutputFile, AMissingFolderIsAnError) {
    const test::TemporaryFolder folder;
    expect_error<ModelError>(
        [&] { OutputFile file(folder / "none/x.bin"); },
        "none/x.bin: can't create the file: there is no folder '" + folder.path() + "/none'");
}

void replace(const std::string& path, const std::string& bytes) {
    OutputFile file(path);
    file.write(bytes.data(), bytes.size());
    file.finish();
    file.publish();
}

TEST(OutputFile, AFolderInTheWayIsAnError) {
    const test::TemporaryFolder folder;
    OutputFile early(folder / "x.bin");
    OutputFile late(folder / "x.bin");
    late.finish();
    std::filesystem::create_directory(folder / "x.bin");
    const char* message = "x.bin: can't replace the file: it is a folder";
    expect_error<ModelError>([&] { OutputFile file(folder / "x.bin"); }, message);
    expect_error<ModelError>([&] { early.finish(); }, message);
    expect_error<ModelError>([&] { late.publish(); }, "x.bin: can't replace the file");
}

TEST(OutputFile, FollowsLinks) {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder other;
    test::write_bytes(other / "file", "old");
    std::filesystem::create_symlink("second", folder / "first");
    std::filesystem::create_symlink(other / "file", folder / "second");
    std::filesystem::create_symlink(other / "new", folder / "dangling");
    {
        const OutputFile file(folder / "first");
        EXPECT_EQ(files_in(other), 2u);  // its temporary file is beside what it replaces
        EXPECT_EQ(files_in(folder), 3u);
    }
    replace(folder / "first", "hello");
    replace(folder / "dangling", "there");
    for (const char* name : {"first", "second", "dangling"}) {
        EXPECT_TRUE(std::filesystem::is_symlink(folder / name)) << name;
    }
    EXPECT_EQ(test::bytes_of(other / "file"), "hello");
    EXPECT_EQ(test::bytes_of(other / "new"), "there");
    EXPECT_EQ(files_in(other), 2u);
}

TEST(OutputFile, LinksThatLeadNowhereAreErrors) {
    const test::TemporaryFolder folder;
    std::filesystem::create_symlink("loop", folder / "loop");
    expect_error<ModelError>([&] { OutputFile file(folder / "loop"); },
                             "loop: can't create the file: Too many levels of symbolic links");
    std::filesystem::create_symlink("none/x.bin", folder / "dangling");
    expect_error<ModelError>([&] { OutputFile file(folder / "dangling"); },
                             "there is no folder '" + folder.path() + "/none'");
}

TEST(OutputFile, ReplacesRegularFilesAlone) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{AF_UNIX, {}};
    (folder / "socket").copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::close(socket);
    std::filesystem::create_symlink("/dev/null", folder / "device");
    for (const char* name : {"fifo", "socket", "device"}) {
        const std::string kind = name == std::string("fifo") ? "FIFO" : name;
        expect_error<ModelError>([&] { OutputFile file(folder / name); },
                                 std::string(name) + ": can't replace the file: it is a " + kind);
    }
    EXPECT_EQ(files_in(folder), 3u);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, KeepsTheMode) {
    const test::TemporaryFolder folder;
    for (const ::mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
        test::write_bytes(folder / "x.bin", "old");
        ASSERT_EQ(::chmod((folder / "x.bin").c_str(), mode), 0);
        replace(folder / "x.bin", "new");
        struct stat info {};
        ASSERT_EQ(::stat((folder / "x.bin").c_str(), &info), 0);
        EXPECT_EQ(info.st_mode & 07777u, mode);
    }
}

TEST(OutputFile, LeavesReadOnlyFiles) {
    const test::TemporaryFolder folder;
    test::write_bytes(folder / "x.bin", "old");
    ASSERT_EQ(::chmod((folder / "x.bin").c_str(), 0444), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
    EXPECT_TRUE(test::succeeds_in_a_child([&] {
        constexpr unsigned kNobody = 65534;
        if (::geteuid() == 0 &&
            (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
            return true;  // not allowed here
        }
        expect_error<ModelError>([&] { OutputFile file(folder / "x.bin"); },
                                 "x.bin: can't replace the file: Permission denied");
        return true;
    }));
    EXPECT_EQ(test::bytes_of(folder / "x.bin"), "old");
    EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, AFileThatCannotGrowIsAnError) {
    const test::TemporaryFolder folder;
    OutputFile file(folder / "x.bin");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // else the limit kills the process
    const rlimit small{100, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string bytes(1000, 'a');
    expect_error<ModelError>([&] { file.write(bytes.data(), bytes.size()); },
                             "x.bin: can't write the file: File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
}

TEST(OutputFile, SyncsBeforeItIsPublished) {
    const test::TemporaryFolder folder;
    OutputFile file(folder / "x.bin");
    file.write("hello", 5);
    file.sync();
    file.finish();
    file.publish();
    EXPECT_EQ(test::bytes_of(folder / "x.bin"), "hello");
    expect_error<InternalError>([&] { file.sync(); }, "a finished file is synced");
}

// A child that ends without a destructor leaves its temporary file.
void leave_a_temporary(const std::string& path) {
    const pid_t child = ::fork();
    if (child == 0) {
        OutputFile file(path);
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
}

TEST(OutputFile, RemovesWhatKilledWritersLeft) {
    const test::TemporaryFolder folder;
    leave_a_temporary(folder / "x.bin");
    leave_a_temporary(folder / "x.bin");
    leave_a_temporary(folder / "y.bin");
    test::write_bytes(folder / "x.bin.tmp7-notes", "a user's");
    ASSERT_EQ(files_in(folder), 3u);  // the second writer removed what the first one left
    {
        const OutputFile file(folder / "x.bin");
        EXPECT_EQ(files_in(folder), 3u);
    }
    EXPECT_TRUE(std::filesystem::exists(folder / "x.bin.tmp7-notes"));
    ir::remove_abandoned(folder.path(), ".other");
    EXPECT_EQ(files_in(folder), 2u);
    ir::remove_abandoned(folder.path(), ".bin");
    EXPECT_EQ(files_in(folder), 1u);
    ir::remove_abandoned(folder / "none", ".bin");
}

TEST(OutputFile, LeavesTheTemporaryOfALivingWriter) {
    const test::TemporaryFolder folder;
    OutputFile first(folder / "x.bin");
    OutputFile second(folder / "x.bin");
    EXPECT_EQ(files_in(folder), 2u);
    first.finish();
    const OutputFile third(folder / "x.bin");  // between finish() and publish()
    first.publish();
    second.finish();
    second.publish();
    EXPECT_TRUE(std::filesystem::exists(folder / "x.bin"));
}

}  // namespace
}  // namespace rondo::output_file_test
