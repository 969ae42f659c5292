#include "core/support/mapped_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"

namespace rondo {
namespace {

// A file that goes when the test ends.
class MappedFileTest : public testing::Test {
protected:
    std::string write(const std::string& text) {
        std::ofstream(path_, std::ios::binary) << text;
        return path_.string();
    }

    const test::TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_ / "file";
};

TEST_F(MappedFileTest, ShowsTheBytes) {
    const std::string text("a\0b", 3);
    const MappedFile file = map_file(write(text));
    ASSERT_EQ(file.size, 3u);
    EXPECT_EQ(std::memcmp(file.data, text.data(), 3), 0);
}

TEST_F(MappedFileTest, OutlivesTheFileAndItsHandle) {
    std::shared_ptr<const void> owner;
    const std::byte* data = nullptr;
    {
        const MappedFile file = map_file(write(std::string(100000, 'x')));
        owner = file.owner;
        data = file.data;
    }
    std::filesystem::remove(path_);
    EXPECT_EQ(static_cast<char>(data[99999]), 'x');
}

TEST_F(MappedFileTest, TakesAnEmptyFile) {
    const MappedFile file = map_file(write(""));
    EXPECT_EQ(file.size, 0u);
}

TEST_F(MappedFileTest, SaysWhyItCantRead) {
    test::expect_error<ModelError>([] { map_file("/no/such/file"); },
                                   "/no/such/file: can't read the file: No such file");
    test::expect_error<ModelError>([] { map_file("/tmp"); },
                                   "/tmp: can't read the file: it is not a regular file");
    test::expect_error<ModelError>([] { map_file("/dev/null"); }, "it is not a regular file");
}

TEST_F(MappedFileTest, RefusesAFifoAtOnce) {
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    test::expect_error<ModelError>([&] { map_file(path_.string()); }, "it is not a regular file");
}

}  // namespace
}  // namespace rondo
