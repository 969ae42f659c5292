#include "core/support/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "rondo/error.hpp"

namespace rondo {
namespace {

// Nanoseconds. Kernels count in 10 ms at most, and old file systems store seconds.
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kShortTick = 20'000'000;
constexpr std::int64_t kLongTick = 2 * kSecond;

std::int64_t now() {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

// Each write sets both times, and nothing sets this one to another time than now.
std::int64_t nanoseconds_left(const FileStamp& stamp) {
    const std::int64_t tick = stamp.changed % kSecond == 0 ? kLongTick : kShortTick;
    return stamp.changed + tick - now();
}

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

std::int64_t nanoseconds(const ::timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileStamp stamp_in(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_size), info.st_ino, nanoseconds(info.st_mtim),
            nanoseconds(info.st_ctim)};
}

// Ends a mapping, and is found again by its type.
struct Unmap {
    Mapping mapping;
    void operator()(const void* data) const {
        ::munmap(const_cast<void*>(data), static_cast<std::size_t>(mapping.stamp.size));
    }
};

std::string absolute(const std::string& path) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(path, error);
    return error ? path : whole.string();
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::string& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return std::nullopt;
    return stamp_in(info);
}

bool is_settled(const FileStamp& stamp) { return nanoseconds_left(stamp) <= 0; }

bool wait_until_settled(const FileStamp& stamp) {
    const std::int64_t left = nanoseconds_left(stamp);
    if (left <= 0) return true;
    if (left > kShortTick) return false;  // or the clock was set back
    std::this_thread::sleep_for(std::chrono::nanoseconds(left));
    return true;
}

const Mapping* mapping_of(const std::shared_ptr<const void>& owner) {
    const auto* unmap = std::get_deleter<Unmap>(owner);
    return unmap == nullptr ? nullptr : &unmap->mapping;
}

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
    Unmap unmap{{absolute(path), nullptr, stamp_in(info)}};  // before there is what could leak
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (data == MAP_FAILED) fail(path, std::strerror(errno));
    const auto* bytes = static_cast<const std::byte*>(data);
    unmap.mapping.data = bytes;
    return {bytes, size, std::shared_ptr<const void>(data, std::move(unmap))};
}

bool is_as_mapped(const MappedFile& file) {
    const Mapping* mapping = mapping_of(file.owner);
    if (mapping == nullptr) return true;
    const auto stamp = stamp_of(mapping->path);
    return !stamp || stamp->inode != mapping->stamp.inode || *stamp == mapping->stamp;
}

void drop_pages(const MappedFile& file) {
    if (mapping_of(file.owner) == nullptr) return;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(file.data);
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t last = (begin + file.size) / page * page;
    if (first >= last) return;
    auto* const from = const_cast<std::byte*>(file.data + (first - begin));
    ::madvise(from, last - first, MADV_DONTNEED);  // or they stay
}

}  // namespace rondo
