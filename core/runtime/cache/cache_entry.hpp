// The file format of the model cache.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/graph.hpp"
#include "core/ir/ir.hpp"
#include "core/support/mapped_file.hpp"
#include "core/support/model_limits.hpp"

namespace rondo {

namespace ir {
class OutputFile;
}

/// An entry whose frame is valid: sizes fit, the digest of all bytes is right.
struct CacheEntry {
    MappedFile file;
    ir::XmlRange xml;      ///< its offsets count from the file's start
    std::string_view key;  ///< points into `file`, as the next one does
    std::string_view files;
};

/// header, constants, XML, key, list of files, footer. The caller finishes and publishes the file.
void write_entry(ir::OutputFile& file, const Graph& graph, const std::string& key,
                 const std::string& files);

/// Throws ModelError with the reason if these bytes aren't a whole entry.
CacheEntry read_entry(MappedFile file);
/// Maps the file. Throws ModelError with the reason if it isn't a whole entry of that key.
CacheEntry open_entry(const std::string& path, const std::string& key);

/// The entry's graph, whose constants point into it. Throws UnsupportedError where its bodies are
/// nested deeper than `limits` says.
std::shared_ptr<Graph> graph_of(const CacheEntry& entry, const ModelLimits& limits);

}  // namespace rondo
