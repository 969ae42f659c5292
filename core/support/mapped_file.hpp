// A file mapped read-only into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace rondo {

/// Bytes of a file; they live as long as `owner` does.
struct MappedFile {
    const std::byte* data = nullptr;
    std::size_t size = 0;
    std::shared_ptr<const void> owner;
};

/// Throws ModelError with the path and the system's reason; refuses what is no regular file,
/// such as a folder or a FIFO, at once.
MappedFile map_file(const std::string& path);

}  // namespace rondo
