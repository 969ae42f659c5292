#include "core/ir/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "core/support/errors.hpp"
#include "rondo/error.hpp"

namespace rondo::ir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr std::string_view kTemporary = ".tmp";
constexpr int kMaxLinks = 40;  // as the kernel follows

// The name at the end of all links, which need not be a file yet.
fs::path behind_links(fs::path path) {
    std::error_code is_no_link;
    for (int i = 0; i < kMaxLinks; ++i) {
        const fs::path next = fs::read_symlink(path, is_no_link);
        if (is_no_link) break;
        path = path.parent_path() / next;
    }
    return path;
}

const char* kind_of(::mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO";
    return S_ISSOCK(mode) ? "a socket" : "a device";
}

// "x.bin" for "x.bin.tmp123-4"; "" for what is no temporary file's name.
std::string_view final_name(std::string_view name) {
    const std::size_t at = name.rfind(kTemporary);
    if (at == std::string_view::npos) return {};
    const std::string_view numbers = name.substr(at + kTemporary.size());
    const bool known = numbers.find('-') != std::string_view::npos &&
                       numbers.find_first_not_of("0123456789-") == std::string_view::npos;
    return known ? name.substr(0, at) : std::string_view();
}

// Its writer holds the lock until it ends, however it ends. A writer that has made the file but not
// locked it yet sees afterwards that the file is gone, and makes another.
void remove_if_abandoned(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor < 0) return;
    struct stat opened {};
    struct stat named {};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &opened) == 0 &&
        ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino) {
        ::unlink(path.c_str());
    }
    ::close(descriptor);
}

// Not std::filesystem's iterator, which ends the program if memory has run out.
void remove_abandoned_if(const fs::path& folder,
                         const std::function<bool(std::string_view)>& is_wanted) {
    const std::string path = folder.empty() ? "." : folder.string();
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(path.c_str()), ::closedir);
    if (entries == nullptr) return;
    while (const dirent* entry = ::readdir(entries.get())) {
        const std::string_view of = final_name(entry->d_name);
        if (!of.empty() && is_wanted(of)) remove_if_abandoned(path + "/" + entry->d_name);
    }
}

// The new name of a file is on the disk afterwards, if the file system can promise that.
void sync_folder(const fs::path& folder) {
    const std::string path = folder.empty() ? "." : folder.string();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace

void remove_abandoned(const std::string& folder, std::string_view ending) {
    remove_abandoned_if(folder, [&](std::string_view name) { return name.ends_with(ending); });
}

OutputFile::OutputFile(std::string path)
    : path_(std::move(path)), target_(behind_links(path_).string()) {
    check_target();
    const fs::path own(target_);
    const std::string name = own.filename().string();
    remove_abandoned_if(own.parent_path(), [&](std::string_view other) { return other == name; });
    open();
    keep_mode();
}

OutputFile::~OutputFile() {
    for (const int descriptor : {descriptor_, lock_}) {
        if (descriptor >= 0) ::close(descriptor);
    }
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(const char* what) const {
    const int reason = errno;
    const std::string text = path_ + ": can't " + what + " the file: ";
    const fs::path folder = fs::path(target_).parent_path();
    std::error_code error;
    if (reason == ENOENT && !folder.empty() && !fs::exists(folder, error)) {
        throw ModelError(text + "there is no folder '" + folder.string() + "'");
    }
    throw ModelError(text + std::strerror(reason));
}

// A rename would replace what can't be opened for writing, and what isn't a regular file.
void OutputFile::check_target() const {
    struct stat info {};
    if (::stat(path_.c_str(), &info) != 0) {
        if (errno == ELOOP) fail("create");
        return;
    }
    if (!S_ISREG(info.st_mode)) {
        throw ModelError(path_ + ": can't replace the file: it is " + kind_of(info.st_mode));
    }
    if (::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) fail("replace");
}

// Before the first byte is written: others may not read a file that was private.
void OutputFile::keep_mode() const {
    struct stat info {};
    if (::stat(target_.c_str(), &info) != 0) return;
    ::fchmod(descriptor_, info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
}

void OutputFile::open() {
    constexpr int kMaxTries = 1000;  // names taken by other writers
    for (int i = 0; i < kMaxTries; ++i) {
        std::string name = target_ + std::string(kTemporary) + std::to_string(::getpid()) + "-" +
                           std::to_string(i);
        if (try_open(name)) {
            temporary_ = std::move(name);
            return;
        }
        if (errno != EEXIST) break;
    }
    fail("create");
}

// On failure errno says why; EEXIST if another name may do.
bool OutputFile::try_open(const std::string& name) {
    descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) return false;
    struct stat info {};
    // A file system without locks refuses, and then nothing can be known to be abandoned.
    const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && ::fstat(descriptor_, &info) == 0 && info.st_nlink > 0) return true;
    ::close(std::exchange(descriptor_, -1));
    errno = EEXIST;  // another writer has removed it as abandoned
    return false;
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

void OutputFile::sync() {
    internal_check(descriptor_ >= 0, "a finished file is synced");
    // Some file systems can't sync and say so by EINVAL.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail("write");
    synced_ = true;
}

void OutputFile::finish() {
    check_target();
    lock_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail("write");
}

void OutputFile::remove_old() {
    internal_check(descriptor_ < 0, "a file is removed before its successor is finished");
    if (::unlink(target_.c_str()) != 0 && errno != ENOENT) fail("replace");
}

void OutputFile::publish() {
    internal_check(descriptor_ < 0, "a file is published before it is finished");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("replace");
    temporary_.clear();
    if (lock_ >= 0) ::close(std::exchange(lock_, -1));
    if (synced_) sync_folder(fs::path(target_).parent_path());
}

}  // namespace rondo::ir
