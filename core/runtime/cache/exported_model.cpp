#include "core/runtime/cache/exported_model.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <istream>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

#include "core/ir/output_file.hpp"
#include "core/runtime/cache/cache_entry.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {
namespace {

// The first line of the key; the others are the properties, NAME=VALUE.
constexpr std::string_view kTitle = "rondo compiled model 1\n";

// Other machines choose numbers of threads and streams themselves.
// keep-sorted
constexpr std::array kKept = {
    property::kCpuDenormalsOptimization,
    property::kEnableCpuPinning,
    property::kInferencePrecisionHint,
    property::kPerfCount,
    property::kPerfTrace,
    property::kPerformanceHint,
    property::kPerformanceHintNumRequests,
};

// A folder for one file, which entries are written to.
class Scratch {
public:
    Scratch() {
        std::error_code error;
        const auto place = std::filesystem::temp_directory_path(error);
        if (error) {
            throw ModelError(
                "export_model: there is no folder for temporary files (TMPDIR, else "
                "/tmp): " +
                error.message());
        }
        folder_ = (place / "rondo-XXXXXX").string();
        if (::mkdtemp(folder_.data()) == nullptr) {
            throw ModelError("export_model: can't make a folder like '" + folder_ + "'");
        }
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string file() const { return folder_ + "/model"; }

private:
    std::string folder_;
};

bool is_kept(const std::string& name) {
    return std::find(kKept.begin(), kKept.end(), name) != kKept.end();
}

std::string key_of(const Properties& properties) {
    std::string key(kTitle);
    for (const char* name : kKept) {
        const auto at = properties.find(name);
        if (at != properties.end()) key += at->first + "=" + at->second + "\n";
    }
    return key;
}

Properties properties_in(std::string_view key) {
    if (key.substr(0, kTitle.size()) != kTitle) throw ModelError("it has another version");
    Properties properties;
    for (const std::string& line : split(key.substr(kTitle.size()), '\n')) {
        const std::string name = line.substr(0, line.find('='));
        if (name.size() == line.size() || !is_kept(name)) continue;  // a stranger's limits, say
        properties[name] = line.substr(name.size() + 1);
    }
    return properties;
}

MappedFile read_all(std::istream& from) {
    constexpr std::size_t kBlock = std::size_t{1} << 16;
    const auto bytes = std::make_shared<std::string>();
    std::size_t size = 0;
    while (from) {
        bytes->resize(size + kBlock);
        from.read(bytes->data() + size, static_cast<std::streamsize>(kBlock));
        size += static_cast<std::size_t>(from.gcount());
    }
    bytes->resize(size);
    return {reinterpret_cast<const std::byte*>(bytes->data()), size, bytes};
}

}  // namespace

void write_exported(const Graph& graph, const Properties& properties, std::ostream& to) {
    const Scratch scratch;
    ir::OutputFile file(scratch.file());
    write_entry(file, graph, {key_of(properties), "", {}});
    file.finish();
    file.publish();
    const MappedFile bytes = map_file(scratch.file());
    to.write(reinterpret_cast<const char*>(bytes.data), static_cast<std::streamsize>(bytes.size));
    to.flush();
    if (!to) throw ModelError("export_model: the stream takes no more bytes");
}

ExportedModel read_exported(std::istream& from, const ModelLimits& limits) {
    try {
        const CacheEntry entry = read_entry(read_all(from));
        return {graph_of(entry, limits), properties_in(entry.key)};
    } catch (const ModelError& reason) {
        throw ModelError(
            std::string("import_model: these bytes are not from export_model() of this version: ") +
            reason.what());
    }
}

}  // namespace rondo
