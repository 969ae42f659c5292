#include "core/support/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "rondo/error.hpp"

namespace rondo {
namespace {

[[noreturn]] void fail(const std::string& path, const char* reason) {
    throw ModelError(path + ": can't read the file: " + reason);
}

// Closes the descriptor on every way out; the mapping outlives it.
struct Descriptor {
    int value;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
};

}  // namespace

MappedFile map_file(const std::string& path) {
    // Without O_NONBLOCK a FIFO would block until another process opens it for writing.
    constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const Descriptor file{::open(path.c_str(), kFlags)};
    if (file.value < 0) fail(path, std::strerror(errno));
    struct stat info {};
    if (::fstat(file.value, &info) != 0) fail(path, std::strerror(errno));
    if (!S_ISREG(info.st_mode)) fail(path, "it is not a regular file");
    const auto size = static_cast<std::size_t>(info.st_size);
    if (size == 0) return {};
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (data == MAP_FAILED) fail(path, std::strerror(errno));
    std::shared_ptr<const void> owner(
        data, [size](const void* at) { ::munmap(const_cast<void*>(at), size); });
    return {static_cast<const std::byte*>(data), size, std::move(owner)};
}

}  // namespace rondo
