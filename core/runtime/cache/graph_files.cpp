#include "core/runtime/cache/file_identity.hpp"

#include <algorithm>

#include "core/graph/tensor_impl.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/runtime/cache/file_identity.hpp"

namespace rondo {
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
