#include "core/runtime/cache/file_identity.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "rondo/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/files/changed_files.hpp"
#include "tests/support/files/temporary_folder.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::file_identity_test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMedium = kSmallFile + 12345;
constexpr std::size_t kLarge = kMovedBytes + 12345;
// In the second page, which no sample has.
constexpr std::size_t kBetween = 5000;

// Files with holes, which take no room on the disk.
class FileIdentity : public testing::Test {
protected:
    std::string make(std::size_t size) const {
        write_bytes(path, "start");
        fs::resize_file(path, size);
        return path;
    }
    // That of a model's only file, which is settled.
    std::string identity() const {
        EXPECT_TRUE(wait_until_settled(stamp_of(path).value()));
        return identity_when(true);
    }
    std::string identity_when(bool settled) const {
        const std::vector<OpenedFile> files{{path, map_file(path)}};
        return identity_of(files[0].bytes, readings_of(files).at(0), settled);
    }
    bool is_known(const std::string& identity) const {
        return has_identity(map_file(path), identity);
    }

    const TemporaryFolder folder;
    const std::string path = folder / "file";
};

TEST_F(FileIdentity, OfASmallFileIsItsBytes) {
    make(10000);
    const std::string first = identity();
    EXPECT_TRUE(is_known(first));
    fs::copy(path, folder / "copy");
    fs::rename(folder / "copy", path);
    EXPECT_TRUE(is_known(first));
    with_old_time(path, [&] { write_in_place(path, kBetween, "x"); });
    EXPECT_FALSE(is_known(first));
    EXPECT_EQ(identity_when(false), identity());  // whatever its stamp is
}

TEST_F(FileIdentity, OfAMediumFileIsItsStampOrElseItsBytes) {
    make(kMedium);
    const std::string first = identity();
    EXPECT_TRUE(is_known(first));
    fs::copy(path, folder / "copy");
    fs::rename(folder / "copy", path);
    EXPECT_NE(identity(), first);
    EXPECT_TRUE(is_known(first));
    with_old_time(path, [&] { write_in_place(path, kBetween, "x"); });
    EXPECT_FALSE(is_known(first));
}

TEST(FileReadings, TheSmallestFilesAreReadWhole) {
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    const auto readings = [](const std::vector<std::size_t>& sizes) {
        std::string text;
        std::vector<OpenedFile> files;
        for (const std::size_t size : sizes) files.push_back({"", {nullptr, size, nullptr}});
        for (const FileReading reading : readings_of(files)) {
            text += reading == FileReading::whole     ? 'w'
                    : reading == FileReading::samples ? 's'
                                                      : 'm';
        }
        return text;
    };
    EXPECT_EQ(readings({}), "");
    EXPECT_EQ(readings({16 * kMiB}), "w");
    EXPECT_EQ(readings({16 * kMiB + 1}), "m");
    EXPECT_EQ(readings({12 * kMiB, 12 * kMiB, 3 * kMiB, 0}), "wmww");
    EXPECT_EQ(readings({256 * kMiB}), "m");
    EXPECT_EQ(readings({256 * kMiB + 1, 1}), "sw");
    EXPECT_EQ(readings({200 * kMiB, 100 * kMiB, 10 * kMiB}), "smw");
    const std::string many = readings(std::vector<std::size_t>(180, 12 * kMiB));
    EXPECT_EQ(many, "w" + std::string(20, 'm') + std::string(159, 's'));
}

// One that may be known by its stamp is waited for.
TEST_F(FileIdentity, FilesAreSettledOnceThereAreManyBytes) {
    std::vector<OpenedFile> opened;
    for (int i = 0; i < 3; ++i) open_file(make(kSmallFile / 2), &opened);
    EXPECT_TRUE(opened.at(2).settled);
    EXPECT_TRUE(is_settled(mapping_of(opened.at(2).bytes.owner)->stamp));
}

TEST_F(FileIdentity, OfALargeFileIsItsStamp) {
    make(kLarge);
    const std::string first = identity();
    EXPECT_TRUE(is_known(first));
    EXPECT_EQ(identity(), first);
    fs::rename(path, folder / "elsewhere");
    make(kLarge);
    EXPECT_FALSE(is_known(first));  // another inode
    const std::string second = identity();
    write_in_place(path, kBetween, "x");
    EXPECT_FALSE(is_known(second));
    const std::string third = identity();
    with_old_time(path, [&] { write_in_place(path, kBetween, "y"); });
    EXPECT_FALSE(is_known(third));
    const std::string fourth = identity();
    fs::resize_file(path, kLarge + 1);
    EXPECT_FALSE(is_known(fourth));
}

// What is written through a mapping may show in no stamp for a while.
TEST_F(FileIdentity, OfALargeFileHasSamplesToo) {
    make(kLarge);
    const std::string first = identity();
    const std::size_t at = first.find('@');
    ASSERT_NE(at, std::string::npos) << first;
    std::string other = first;
    other[at - 1] = other[at - 1] == '0' ? '1' : '0';
    EXPECT_FALSE(is_known(other));
}

TEST_F(FileIdentity, OfALargeFileReadsFewPages) {
    make(std::size_t{3} << 30);
    EXPECT_TRUE(is_known(identity()));
    EXPECT_LT(bytes_in_memory(path), std::size_t{64} << 20);
}

TEST_F(FileIdentity, OfALargeFileThatIsBeingWrittenIsRefused) {
    make(kLarge);
    expect_error<UnsupportedError>([&] { identity_when(false); },
                                   "was changed a moment ago, or in the future");
    make(kMedium);
    const std::string bytes_alone = identity_when(false);
    EXPECT_TRUE(is_known(bytes_alone));
    EXPECT_NE(bytes_alone, identity());
}

TEST_F(FileIdentity, IsNotWhatItDoesNotLookLike) {
    make(kMedium);
    const std::string size = std::to_string(kMedium);
    for (const std::string& identity :
         {std::string(), size, size + ",-,-", size + ",-,", size + ",,-", size + ",-,-,-"}) {
        EXPECT_FALSE(is_known(identity)) << identity;
    }
}

TEST(SampledDigest, SeesEndsSizesAndSmallBlocks) {
    std::vector<std::byte> bytes(1'000'001);
    const auto digest = [&](std::size_t size) {
        return sampled_digest({bytes.data(), size, nullptr});
    };
    const Digest first = digest(bytes.size());
    EXPECT_EQ(digest(bytes.size()), first);
    EXPECT_NE(digest(bytes.size() - 1), first);
    for (const std::size_t at : {std::size_t{0}, bytes.size() - 1, bytes.size() - 4000}) {
        bytes[at] = std::byte{1};
        EXPECT_NE(digest(bytes.size()), first) << at;
        bytes[at] = std::byte{0};
    }
    const Digest small = digest(10000);
    bytes[kBetween] = std::byte{1};
    EXPECT_NE(digest(10000), small);
    EXPECT_EQ(digest(bytes.size()), first);
}

TEST_F(FileIdentity, SeesWhatHappensToAMappedFile) {
    make(10000);
    const MappedFile mapped = map_file(path);
    EXPECT_TRUE(wait_until_settled(stamp_of(path).value()));
    EXPECT_TRUE(is_as_mapped(mapped));
    write_in_place(path, 7, "x");
    EXPECT_FALSE(is_as_mapped(mapped));
    const MappedFile again = map_file(path);
    EXPECT_TRUE(is_as_mapped(again));
    write_bytes(folder / "new", "another");
    fs::rename(folder / "new", path);
    EXPECT_TRUE(is_as_mapped(again));
    fs::remove(path);
    EXPECT_TRUE(is_as_mapped(again));
}

}  // namespace
}  // namespace rondo::test::file_identity_test
