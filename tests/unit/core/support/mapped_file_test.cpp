#include "core/support/mapped_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/temporary_folder.hpp"

namespace rondo::mapped_file_test {
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

TEST_F(MappedFileTest, KnowsWhatAnOwnerKeepsMapped) {
    const std::string path = write("bytes");
    const MappedFile file = map_file(path);
    const std::shared_ptr<const void> part(file.owner, file.data + 1);
    for (const auto& owner : {file.owner, part}) {
        const Mapping* mapping = mapping_of(owner);
        ASSERT_NE(mapping, nullptr);
        EXPECT_EQ(mapping->path, path);
        EXPECT_EQ(mapping->data, file.data);
        EXPECT_EQ(mapping->stamp, stamp_of(path));
    }
    EXPECT_EQ(mapping_of(std::make_shared<int>(1)), nullptr);
    EXPECT_EQ(mapping_of(nullptr), nullptr);
    EXPECT_EQ(stamp_of("/no/such/file"), std::nullopt);
}

TEST_F(MappedFileTest, KnowsItsBytes) {
    const MappedFile file = map_file(write("bytes"));
    EXPECT_TRUE(file.holds(file.data, 5));
    EXPECT_TRUE(file.holds(file.data + 5, 0));
    EXPECT_FALSE(file.holds(file.data + 1, 5));
    EXPECT_FALSE(file.holds(file.data + 6, 0));
    EXPECT_FALSE(file.holds(file.data - 1, 1));
    EXPECT_FALSE(file.holds(file.data + 1, ~std::size_t{0}));
}

TEST(FileStamps, SettleWithinATick) {
    const auto at = [](std::int64_t time) { return FileStamp{1, 1, time + 12345, time}; };
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto now = std::int64_t{std::time(nullptr)} * kSecond;
    EXPECT_TRUE(wait_until_settled(at(1)));
    EXPECT_TRUE(wait_until_settled(at(now - 10 * kSecond)));
    EXPECT_FALSE(wait_until_settled(at(now)));  // of whole seconds, as old file systems have them
    EXPECT_FALSE(wait_until_settled(at(now + 60 * kSecond + 1)));
}

}  // namespace
}  // namespace rondo::mapped_file_test
