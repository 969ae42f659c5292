#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>

#include "rondo/error.hpp"

namespace rondo::tool {
namespace {

std::string plain_name(const std::string& output) {
    std::string name;
    for (const char c : output) {
        const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
        const bool goes_on = (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;  // inside UTF-8
        if (!goes_on) name += plain ? c : '_';
    }
    return name;
}

// False leaves the reason in errno.
bool write_part(int descriptor, std::string_view part) {
    while (!part.empty()) {
        const ::ssize_t written = ::write(descriptor, part.data(), part.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        part.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// A descriptor that is closed with its scope.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }

private:
    int number_;
};

[[noreturn]] void fail_to_read(const std::string& path, const std::string& reason) {
    throw ModelError(path + ": can't read the file: " + reason);
}

// Nothing is known of the size: pipes and files of /proc have none.
std::string read_all(const std::string& path, int descriptor) {
    constexpr std::size_t kPart = 1 << 20;
    std::string bytes;
    for (std::size_t size = 0;;) {
        bytes.resize(size + kPart);
        const ::ssize_t count = ::read(descriptor, bytes.data() + size, kPart);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_to_read(path, std::strerror(errno));
        size += static_cast<std::size_t>(count);
        bytes.resize(size);
        if (count == 0) return bytes;
    }
}

}  // namespace

std::string file_bytes(const std::string& path) {
    // Without blocking: a named pipe that no program writes to opens at once, and is empty.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (file.number() < 0) fail_to_read(path, std::strerror(errno));
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) fail_to_read(path, std::strerror(errno));
    if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
        fail_to_read(path, "it is not a regular file");
    }
    if (::fcntl(file.number(), F_SETFL, 0) != 0) fail_to_read(path, std::strerror(errno));
    return read_all(path, file.number());
}

void check_writable(const std::string& path) {
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;  // /dev/stdout
    const int flags = O_WRONLY | O_CLOEXEC | (exists ? 0 : O_CREAT | O_EXCL);
    const Descriptor file(::open(path.c_str(), flags, 0666));
    if (file.number() < 0) {
        throw ModelError(path + ": can't write the file: " + std::strerror(errno));
    }
    if (!exists) ::unlink(path.c_str());
}

void call_each(const std::vector<std::function<void()>>& writers) {
    std::string faults;
    for (const auto& write : writers) {
        try {
            write();
        } catch (const std::exception& error) {
            faults += (faults.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    if (!faults.empty()) throw ModelError(faults);
}

void write_file(const std::string& path, std::initializer_list<std::string_view> parts) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = descriptor >= 0;
    for (const std::string_view part : parts) good = good && write_part(descriptor, part);
    int reason = errno;
    if (descriptor >= 0 && ::close(descriptor) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good) return;
    std::error_code error;
    if (descriptor >= 0 && std::filesystem::is_regular_file(path, error)) ::unlink(path.c_str());
    const auto folder = std::filesystem::path(path).parent_path();
    const bool lacks_folder =
        reason == ENOENT && !folder.empty() && !std::filesystem::exists(folder, error);
    throw ModelError(
        path + ": can't write the file: " +
        (lacks_folder ? "there is no folder '" + folder.string() + "'" : std::strerror(reason)));
}

std::filesystem::path make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw ModelError(path + ": can't make the folder: " + error.message());
    return path;
}

std::vector<std::string> npy_names(const std::vector<PortInfo>& outputs) {
    std::set<std::string> used;
    std::vector<std::string> names;
    for (const auto& output : outputs) {
        const std::string plain = plain_name(output.any_name());
        std::string name = plain;
        for (int i = 1; !used.insert(name).second; ++i) name = plain + "_" + std::to_string(i);
        names.push_back(name + ".npy");
    }
    return names;
}

}  // namespace rondo::tool
