#include "core/graph/model_source.hpp"

#include <filesystem>

#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::model_source_test {
namespace {

TEST(ModelSource, NotesTheFilesThatAreOpened) {
    const TemporaryFolder folder;
    write_bytes(folder / "a", "bytes");
    ASSERT_TRUE(wait_until_settled(stamp_of(folder / "a").value()));
    std::vector<OpenedFile> opened;
    const MappedFile file = open_file(folder / "a", &opened);
    ASSERT_EQ(opened.size(), 1u);
    EXPECT_EQ(opened[0].path, folder / "a");
    EXPECT_EQ(opened[0].bytes.data, file.data);
    EXPECT_TRUE(opened[0].settled);
    EXPECT_EQ(open_file(folder / "a", nullptr).size, 5u);
    expect_error<ModelError>([&] { open_file(folder / "b", &opened); }, "can't read the file");
    EXPECT_EQ(opened.size(), 1u);
}

// What is written from then on has another stamp, even within the tick of the file's last change.
TEST(ModelSource, WaitsForALargeFileToSettle) {
    const TemporaryFolder folder;
    const std::string path = folder / "large";
    for (int i = 0; i < 20; ++i) {
        write_bytes(path, std::to_string(i));
        std::filesystem::resize_file(path, kSmallFile + 1);
        std::vector<OpenedFile> opened;
        const MappedFile file = open_file(path, &opened);
        ASSERT_TRUE(opened.at(0).settled);
        std::ofstream(path, std::ios::in | std::ios::out) << "x";
        EXPECT_NE(stamp_of(path), mapping_of(file.owner)->stamp) << i;
    }
}

// Programs may set it to any time.
TEST(ModelSource, DoesNotCareWhenAFileWasModified) {
    const TemporaryFolder folder;
    const std::string path = folder / "large";
    write_bytes(path, "x");
    std::filesystem::resize_file(path, kSmallFile + 1);
    const auto tomorrow = std::filesystem::file_time_type::clock::now() + std::chrono::hours(24);
    std::filesystem::last_write_time(path, tomorrow);
    std::vector<OpenedFile> opened;
    open_file(path, &opened);
    EXPECT_TRUE(opened.at(0).settled);
}

}  // namespace
}  // namespace rondo::test::model_source_test
