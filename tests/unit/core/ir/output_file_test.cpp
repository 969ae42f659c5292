#include "core/ir/output_file.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo {
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

TEST(OutputFile, AFolderInTheWayIsAnError) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "x.bin");
    OutputFile file(folder / "x.bin");
    file.finish();
    expect_error<ModelError>([&] { file.publish(); }, "x.bin: can't replace the file");
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
}  // namespace rondo
