#include "core/runtime/model_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "core/ir/output_file.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/cache/cache_entry.hpp"
#include "core/runtime/cache/file_identity.hpp"
#include "core/runtime/properties/property_values.hpp"
#include "core/support/digest.hpp"
#include "core/support/errors.hpp"
#include "core/support/log.hpp"
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
    if (model_path.empty()) return file;
    return fs::path(file).lexically_relative(folder_of(model_path)).string();
}

// "<identity> <path from the model's folder>", a line a file. The path may lead to another file by
// now.
std::string describe_files(const std::vector<OpenedFile>& files, const std::string& model_path) {
    std::string text;
    const std::vector<FileReading> readings = readings_of(files);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const OpenedFile& file = files[i];
        const std::string relative = relative_to_model(file.path, model_path);
        if (relative.empty() || relative.find('\n') != std::string::npos) {
            throw UnsupportedError("the file '" + file.path + "' has no name that can be kept");
        }
        text += at_place([&] { return file.path; },
                         [&] { return identity_of(file.bytes, readings[i], file.settled); });
        if (!is_as_mapped(file.bytes)) throw ModelError("'" + file.path + "' is being changed");
        text += " " + relative + "\n";
    }
    return text;
}

// Throws if one of them is gone, or isn't what it was.
std::vector<MappedFile> map_files(std::string_view lines, const std::string& model_path) {
    std::vector<MappedFile> files;
    for (const auto& line : split(lines, '\n')) {
        if (line.empty()) continue;
        const std::size_t end = line.find(' ');
        if (end == std::string::npos) throw ModelError("its list of files is broken");
        const auto path = fs::path(folder_of(model_path)) / line.substr(end + 1);
        files.push_back(map_file(path.string()));
        if (!has_identity(files.back(), line.substr(0, end))) {
            throw ModelError("'" + path.string() + "' has changed");
        }
    }
    return files;
}

std::vector<MappedFile> mappings_of(const std::vector<OpenedFile>& files) {
    std::vector<MappedFile> mapped;
    for (const auto& file : files) mapped.push_back(file.bytes);
    return mapped;
}

// What an entry would hold of the graph's constants: those that lie in no file, each once.
std::size_t bytes_to_write(const Graph& graph, const std::vector<MappedFile>& files) {
    std::map<const void*, std::size_t> found;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto* constant = as_op<ops::Constant>(*node);
            if (constant == nullptr) continue;
            const void* data = constant->value().strided_data();
            const std::size_t size = constant->value().byte_size();
            const bool in_file = std::any_of(files.begin(), files.end(), [&](const auto& file) {
                return file.holds(data, size);
            });
            if (!in_file) found[data] = std::max(found[data], size);
        }
    });
    std::size_t bytes = 0;
    for (const auto& [data, size] : found) bytes += size;
    return bytes;
}

// To write, digest and read more than this takes as long as to make it again.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

void check_worth(const Graph& graph, const std::vector<MappedFile>& files) {
    const std::size_t bytes = bytes_to_write(graph, files);
    if (bytes <= kMostBytes) return;
    throw UnsupportedError("the passes made constants of " + std::to_string(bytes) +
                           " bytes; more than " + std::to_string(kMostBytes) +
                           " cost more than they save");
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
        auto graph = graph_of(entry, limits, map_files(entry.files, model_path));
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
        EntryFacts facts{key, "", mappings_of(files)};
        check_worth(graph, facts.mapped);
        facts.files = describe_files(files, model_path);
        ir::remove_abandoned(folder_, kEnding);
        std::error_code ignored;
        if (fs::is_symlink(path, ignored)) fs::remove(path, ignored);  // it leads elsewhere
        ir::OutputFile file(path);
        write_entry(file, graph, facts);
        file.finish();
        file.publish();
        if (log_enabled(LogLevel::info)) {
            log(LogLevel::info, "cache: wrote " + path + " in " + watch.text());
        }
    } catch (const UnsupportedError& reason) {
        log(LogLevel::info, std::string("cache: no entry was written: ") + reason.what());
    } catch (const Error& reason) {
        log(LogLevel::warning, std::string("cache: no entry was written: ") + reason.what());
    }
}

}  // namespace rondo
