#include "rondo/model_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "rondo/error.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

void check_location(const std::string& location, const std::string& what) {
    const fs::path path(location);
    const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
    const bool broken = location.empty() || location.find('\0') != std::string::npos;
    if (!broken && !climbs && path.is_relative()) return;
    throw ModelError(what + " lies at '" + location.substr(0, location.find('\0')) +
                     "'; expected a path inside the model's folder");
}

bool lies_in(const fs::path& file, const fs::path& folder) {
    const auto end = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end.first == folder.end();
}

void check_links(const fs::path& model, const fs::path& file, const std::string& what) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    if (error) return;  // opening it says why
    const fs::path named = model.parent_path().empty() ? fs::path(".") : model.parent_path();
    for (const fs::path& folder :
         {fs::canonical(named, error), fs::canonical(model, error).parent_path()}) {
        if (!folder.empty() && lies_in(real, folder)) return;
    }
    throw ModelError(what + " '" + file.string() + "' is a link to '" + real.string() +
                     "'; expected a file inside the model's folder");
}

}  // namespace

std::string path_in_model_folder(const std::string& model_path, const std::string& location,
                                 const std::string& what) {
    check_location(location, what);
    const fs::path file = fs::path(model_path).parent_path() / location;
    check_links(model_path, file, what);
    return file.string();
}

}  // namespace rondo
