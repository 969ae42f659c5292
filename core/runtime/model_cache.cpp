#include "core/runtime/model_cache.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <system_error>

#include "core/ir/ir.hpp"
#include "core/ir/output_file.hpp"
#include "core/runtime/cache/cache_entry.hpp"
#include "core/runtime/graph_limits.hpp"
#include "core/runtime/model_key.hpp"
#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".rondo";

[[noreturn]] void fail(const std::string& folder, const char* what, const std::string& reason) {
    throw ModelError("property 'CACHE_DIR': the folder '" + folder + "' can't be " + what + ": " +
                     reason);
}

std::string folder_of(const std::string& model_path) {
    return fs::path(model_path).parent_path().string();
}

std::string relative_to_model(const std::string& file, const std::string& model_path) {
    return fs::path(file).lexically_relative(folder_of(model_path)).string();
}

// "<size> <digest> <path from the model's folder>", a line a file. The path may lead to another
// file by now.
std::string describe_files(const std::vector<OpenedFile>& files, const std::string& model_path) {
    std::string text;
    for (const auto& [path, bytes] : files) {
        const std::string relative = relative_to_model(path, model_path);
        if (relative.empty() || relative.find('\n') != std::string::npos) {
            throw UnsupportedError("the file '" + path + "' has no name that can be kept");
        }
        text += std::to_string(bytes.size) + " " + digest_of(bytes).text() + " " + relative + "\n";
    }
    return text;
}

// Throws where one of them is gone, or isn't what it was.
void check_files(std::string_view lines, const std::string& model_path) {
    for (const auto& line : split(lines, '\n')) {
        if (line.empty()) continue;
        const std::size_t size_end = line.find(' ');
        const std::size_t digest_end = line.find(' ', size_end + 1);
        if (size_end == std::string::npos || digest_end == std::string::npos) {
            throw ModelError("its list of files is broken");
        }
        const auto path = fs::path(folder_of(model_path)) / line.substr(digest_end + 1);
        const MappedFile file = map_file(path.string());
        const std::string now = std::to_string(file.size) + " " + digest_of(file).text();
        if (now != line.substr(0, digest_end)) {
            throw ModelError("'" + path.string() + "' has changed");
        }
    }
}

}  // namespace

ModelCache::ModelCache(std::string folder) : folder_(std::move(folder)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) fail(folder_, "made", error.message());
    if (!fs::is_directory(folder_, error)) fail(folder_, "made", "a file has its name");
    if (::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) {
        fail(folder_, "written to", std::strerror(errno));
    }
}

std::string ModelCache::path_of(const std::string& key) const {
    Digester digester;
    digester.add_text(key);
    return (fs::path(folder_) / (digester.digest().text() + kEnding)).string();
}

std::shared_ptr<Graph> ModelCache::load(const std::string& key, const std::string& model_path,
                                        const ModelLimits& limits) const {
    const std::string path = path_of(key);
    std::error_code error;
    if (!fs::exists(path, error)) return nullptr;
    const Stopwatch watch;
    try {
        const CacheEntry entry = open_entry(path, key);
        check_files(entry.files, model_path);
        auto graph = graph_of(entry, limits);
        check_limits(*graph, limits);
        if (log_enabled(LogLevel::info)) {
            log(LogLevel::info, "cache: read " + path + " in " + watch.text());
        }
        return graph;
    } catch (const std::exception& reason) {  // whatever is wrong, the model itself is there
        log(LogLevel::info, "cache: " + path + " is not used and made again: " + reason.what());
        return nullptr;
    }
}

void ModelCache::store(const std::string& key, const Graph& graph, const std::string& model_path,
                       const std::vector<OpenedFile>& files) const {
    const std::string path = path_of(key);
    const Stopwatch watch;
    try {
        const std::string lines = describe_files(files, model_path);
        ir::remove_abandoned(folder_, kEnding);
        std::error_code ignored;
        if (fs::is_symlink(path, ignored)) fs::remove(path, ignored);  // it leads elsewhere
        ir::OutputFile file(path);
        write_entry(file, graph, key, lines);
        file.finish();
        file.publish();
        if (log_enabled(LogLevel::info)) {
            log(LogLevel::info, "cache: wrote " + path + " in " + watch.text());
        }
    } catch (const Error& reason) {
        log(LogLevel::warning, std::string("cache: no entry was written: ") + reason.what());
    }
}

}  // namespace rondo
