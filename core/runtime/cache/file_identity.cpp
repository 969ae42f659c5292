#include "core/runtime/cache/file_identity.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <numeric>
#include <string>

#include "core/graph/tensor_impl.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo {

namespace {

constexpr std::string_view kNone = "-";

// Size, digest of all bytes, samples with stamp: each of the latter two may be missing.
struct Parts {
    std::string size;
    std::string bytes = std::string(kNone);
    std::string stamp = std::string(kNone);
};

std::string stamp_text(const MappedFile& file) {
    const Mapping* mapping = mapping_of(file.owner);
    if (mapping == nullptr) return std::string(kNone);
    const FileStamp& stamp = mapping->stamp;
    return sampled_digest(file).text() + "@" + std::to_string(stamp.inode) + "." +
           std::to_string(stamp.modified) + "." + std::to_string(stamp.changed);
}

// If pages of a file are touched, the system reads megabytes after each. Memory that isn't
// mapped from its start is left as it is.
class WithoutReadingAhead {
public:
    WithoutReadingAhead(const std::byte* data, std::size_t size)
        : data_(const_cast<std::byte*>(data)), size_(size) {
        ::madvise(data_, size_, MADV_RANDOM);
    }
    WithoutReadingAhead(const WithoutReadingAhead&) = delete;
    WithoutReadingAhead& operator=(const WithoutReadingAhead&) = delete;
    ~WithoutReadingAhead() { ::madvise(data_, size_, MADV_NORMAL); }

private:
    void* data_;
    std::size_t size_;
};

}  // namespace

Digest digest_of(const MappedFile& file) {
    const Digest digest = digest_of(file.data, file.size);
    drop_pages(file);
    return digest;
}

Digest sampled_digest(const MappedFile& file) {
    constexpr std::size_t kPage = 4096;
    constexpr std::size_t kSamples = 32;
    const auto [data, size, owner] = file;
    Digester digester;
    digester.add_number(size);
    if (size <= kPage * kSamples) {
        digester.add(data, size);
        return digester.digest();
    }
    const WithoutReadingAhead alone(data, size);
    const std::size_t pages = size / kPage;
    for (std::size_t i = 0; i < kSamples; ++i) {
        digester.add(data + i * (pages - 1) / (kSamples - 1) * kPage, kPage);
    }
    digester.add(data + pages * kPage, size - pages * kPage);
    drop_pages(file);  // the system may have mapped large blocks around each sample
    return digester.digest();
}

std::vector<FileReading> readings_of(std::span<const OpenedFile> files) {
    std::vector<std::size_t> order(files.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return files[a].bytes.size < files[b].bytes.size;
    });
    std::vector<FileReading> readings(files.size(), FileReading::samples);
    std::size_t bytes = 0;
    for (const std::size_t i : order) {
        if (files[i].bytes.size > kMovedBytes - bytes) break;
        bytes += files[i].bytes.size;
        readings[i] = bytes <= kWholeBytes ? FileReading::whole : FileReading::if_moved;
    }
    return readings;
}

std::string identity_of(const MappedFile& file, FileReading reading, bool settled) {
    Parts parts{std::to_string(file.size)};
    if (reading != FileReading::whole && settled) parts.stamp = stamp_text(file);
    if (reading != FileReading::samples) parts.bytes = digest_of(file).text();
    if (parts.bytes == kNone && parts.stamp == kNone) {
        throw UnsupportedError("a file of " + std::to_string(file.size) +
                               " bytes was changed a moment ago, or in the future");
    }
    return parts.size + "," + parts.bytes + "," + parts.stamp;
}

bool has_identity(const MappedFile& file, std::string_view identity) {
    const auto parts = split(identity, ',');
    if (parts.size() != 3 || parts[0] != std::to_string(file.size)) return false;
    if (parts[2] != kNone && parts[2] == stamp_text(file)) return true;
    return parts[1] != kNone && parts[1] == digest_of(file).text();
}

namespace {

std::vector<OpenedFile> files_of(const Graph& graph) {
    std::vector<OpenedFile> files;
    for_each_graph(graph, [&](const Graph& part) {
        for (const auto& node : part.ordered_nodes()) {
            const auto* constant = as_op<ops::Constant>(*node);
            if (constant == nullptr) continue;
            const auto& owner = Tensor::Impl::of(constant->value()).owner;
            const Mapping* mapping = mapping_of(owner);
            if (mapping == nullptr) continue;
            const bool known = std::any_of(files.begin(), files.end(), [&](const auto& file) {
                return file.bytes.data == mapping->data;
            });
            if (known) continue;
            const auto size = static_cast<std::size_t>(mapping->stamp.size);
            files.push_back({mapping->path, {mapping->data, size, owner}});
        }
    });
    return files;
}

}  // namespace

std::vector<OpenedFile> sampled_files_of(const Graph& graph) {
    std::vector<OpenedFile> sampled;
    const std::vector<OpenedFile> files = files_of(graph);
    const std::vector<FileReading> readings = readings_of(files);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (readings[i] != FileReading::whole) sampled.push_back(files[i]);
    }
    return sampled;
}

bool are_current(const std::vector<OpenedFile>& files) {
    return std::all_of(files.begin(), files.end(), [](const OpenedFile& file) {
        const FileStamp& stamp = mapping_of(file.bytes.owner)->stamp;
        return wait_until_settled(stamp) && stamp_of(file.path) == stamp;
    });
}

}  // namespace rondo
