// Places for the files of tests: of no other test, and gone at the end.
#pragma once

#include <stdlib.h>  // mkdtemp
#include <unistd.h>

#include <filesystem>
#include <string>

#include "rondo/error.hpp"

namespace rondo::test {

/// A new folder, removed with everything in it; not by a forked child.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "rondo-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw ModelError("can't make " + name);
        path_ = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        if (::getpid() == owner_) std::filesystem::remove_all(path_, ignored);
    }

    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    pid_t owner_ = ::getpid();
};

/// A path in a folder of this process, which goes at its end.
inline std::string temporary_path(const std::string& name) {
    static const TemporaryFolder folder;
    return folder / name;
}

}  // namespace rondo::test
