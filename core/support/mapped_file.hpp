// A file mapped read-only into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace rondo {

/// What the file system says of a file. It changes with the file's bytes, and with its name and
/// rights.
struct FileStamp {
    std::uint64_t size = 0;
    std::uint64_t inode = 0;
    std::int64_t modified = 0;  ///< nanoseconds since 1970; programs may set it
    std::int64_t changed = 0;   ///< likewise, of the inode; the system alone sets it

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// The stamp now of what `path` leads to; nothing if that can't be known.
std::optional<FileStamp> stamp_of(const std::string& path);

/// True if a change of the file's bytes from now on changes `stamp`, too.
bool is_settled(const FileStamp& stamp);

/// Waits until a change of the file's bytes changes `stamp`, too: file systems count time in ticks,
/// and bytes may change twice in one. False if a tick is too long to be waited for.
bool wait_until_settled(const FileStamp& stamp);

/// A mapped file as it was opened.
struct Mapping {
    std::string path;  ///< absolute
    const std::byte* data = nullptr;
    FileStamp stamp;
};

/// Bytes of a file; they live as long as `owner` does.
struct MappedFile {
    const std::byte* data = nullptr;
    std::size_t size = 0;
    std::shared_ptr<const void> owner;

    /// True if all of these bytes are the file's.
    bool holds(const void* bytes, std::size_t count) const {
        const auto at = reinterpret_cast<std::uintptr_t>(bytes);
        const auto start = reinterpret_cast<std::uintptr_t>(data);
        return at >= start && at - start <= size && count <= size - (at - start);
    }
};

/// Throws ModelError with the path and the system's reason; refuses what is no regular file,
/// such as a folder or a FIFO, at once.
MappedFile map_file(const std::string& path);

/// False if the bytes have been changed in place since they were mapped. Another file that has
/// taken the path doesn't matter.
bool is_as_mapped(const MappedFile& file);

/// Gives the memory of these bytes of a mapped file back to the system, which reads them again when
/// they are used. Bytes that no mapping of a file holds stay where they are.
void drop_pages(const MappedFile& file);

/// What `owner` keeps mapped; null if it isn't an owner that map_file() has made.
const Mapping* mapping_of(const std::shared_ptr<const void>& owner);

}  // namespace rondo
