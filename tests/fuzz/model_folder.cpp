#include "tests/fuzz/model_folder.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "core/support/errors.hpp"
#include "tests/fuzz/joined_files.hpp"

namespace rondo::test {

namespace fs = std::filesystem;

ModelFolder::ModelFolder() {
    const fs::path model = folder_ / "model";
    fs::create_directories(model / "sub");
    write_bytes(folder_ / "secret", std::string(4096, 's'));
    write_bytes((model / "empty").string(), "");
    fs::create_symlink("../secret", model / "link");
    fs::create_symlink("../../secret", model / "sub" / "link");
    fs::create_symlink(fs::path("..") / kDataFile, model / "sub" / kDataFile);
    internal_check(::mkfifo((model / "pipe").c_str(), 0600) == 0, "can't make a pipe");
    write_bytes((model / kDataFile).string(), data_);
}

void ModelFolder::set_data(std::string_view data) {
    if (data == data_) return;
    const fs::path path = fs::path(folder_ / "model") / kDataFile;
    fs::remove(path);  // what has mapped the old one keeps it
    write_bytes(path.string(), std::string(data));
    data_ = data;
}

bool ModelFolder::holds(const std::string& path) const {
    const fs::path file = fs::canonical(path), folder = fs::canonical(folder_ / "model");
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
           folder.end();
}

}  // namespace rondo::test
