#include "tests/support/models.hpp"

#include <filesystem>
#include <system_error>

#include "core/support/process.hpp"
#include "tests/support/source_dir.hpp"

namespace rondo::test {

std::optional<std::string> models_dir() {
    const std::string folder = env("RONDO_MODELS").value_or(RONDO_SOURCE_DIR "/../shared/models");
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored)) return std::nullopt;
    return folder;
}

}  // namespace rondo::test
