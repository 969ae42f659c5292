#include "core/ir/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "core/support/check.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) { open(); }

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(const char* what) const {
    throw ModelError(path_ + ": can't " + what + " the file: " + std::strerror(errno));
}

void OutputFile::open() {
    constexpr int kMaxTries = 1000;  // names taken by other writers, or left by a crash
    for (int i = 0; i < kMaxTries; ++i) {
        std::string name = path_ + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(i);
        descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ >= 0) {
            temporary_ = std::move(name);
            return;
        }
        if (errno != EEXIST) break;
    }
    fail("create");
}

void OutputFile::write(const void* data, std::size_t size) {
    internal_check(descriptor_ >= 0, "a finished file is written to");
    const char* at = static_cast<const char*>(data);
    size_ += size;
    while (size > 0) {
        const ::ssize_t written = ::write(descriptor_, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write");
        at += written;
        size -= static_cast<std::size_t>(written);
    }
}

// Some of the bytes at `offset`; 0 past the end.
std::size_t OutputFile::read_back(std::size_t offset, char* to, std::size_t size) const {
    ::ssize_t got = -1;
    do {
        got = ::pread(descriptor_, to, size, static_cast<::off_t>(offset));
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail("read back");
    return static_cast<std::size_t>(got);
}

bool OutputFile::holds(std::size_t offset, const void* data, std::size_t size) {
    std::vector<char> chunk(std::min(size, kChunk));
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const std::size_t count = read_back(offset, chunk.data(), std::min(size, kChunk));
        if (count == 0 || std::memcmp(chunk.data(), at, count) != 0) return false;
        at += count;
        offset += count;
        size -= count;
    }
    return true;
}

Digest OutputFile::digest() const {
    internal_check(descriptor_ >= 0, "a finished file is read back");
    std::vector<char> chunk(kChunk);
    Digester digester;
    std::size_t offset = 0;
    while (const std::size_t count = read_back(offset, chunk.data(), kChunk)) {
        digester.add(chunk.data(), count);
        offset += count;
    }
    return digester.digest();
}

void OutputFile::finish() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail("write");
}

void OutputFile::publish() {
    internal_check(descriptor_ < 0, "a file is published before it is finished");
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
    temporary_.clear();
}

}  // namespace rondo::ir
