// Changes of files whose size stays, and what of a file is in memory.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "rondo/error.hpp"

namespace rondo::test {

/// Writes `bytes` into the file, at `offset`.
inline void write_in_place(const std::string& path, std::size_t offset, const std::string& bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const auto written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    ::close(file);
    if (written != static_cast<ssize_t>(bytes.size())) throw ModelError("can't write " + path);
}

/// What `change` does, with the time of the last modification as it was before.
template <typename Change>
void with_old_time(const std::string& path, Change change) {
    struct stat info {};
    ::stat(path.c_str(), &info);
    change();
    const ::timespec times[2] = {info.st_atim, info.st_mtim};
    if (::utimensat(AT_FDCWD, path.c_str(), times, 0) != 0) throw ModelError("no time: " + path);
}

/// How many bytes of the file the system holds in memory: of a new file with holes, those that were
/// written or read.
inline std::size_t bytes_in_memory(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info {};
    ::fstat(file, &info);
    const auto size = static_cast<std::size_t>(info.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (data == MAP_FAILED) throw ModelError("can't map " + path);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages((size + page - 1) / page);
    ::mincore(data, size, pages.data());
    ::munmap(data, size);
    const auto held =
        std::count_if(pages.begin(), pages.end(), [](auto state) { return state & 1; });
    return static_cast<std::size_t>(held) * page;
}

}  // namespace rondo::test
