#include "files.hpp"

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

}  // namespace

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
