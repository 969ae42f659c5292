// The file format of the model cache.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ir/ir.hpp"
#include "core/support/limits.hpp"
#include "core/support/mapped_file.hpp"

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

/// What an entry is beside the graph.
struct EntryFacts {
    std::string key;
    std::string files;               ///< the list of them, as text
    std::vector<MappedFile> mapped;  ///< constants that lie in one of these stay there
};

/// header, constants, XML, key, list of files, footer. The caller finishes and publishes the file.
void write_entry(ir::OutputFile& file, const Graph& graph, const EntryFacts& facts);

/// Throws ModelError with the reason if these bytes aren't a whole entry.
CacheEntry read_entry(MappedFile file);
/// Maps the file. Throws ModelError with the reason if it isn't a whole entry of that key.
CacheEntry open_entry(const std::string& path, const std::string& key);

/// The entry's graph, whose constants point into it, or into the files that write_entry() had, in
/// the same order. Throws UnsupportedError if its bodies are nested deeper than `limits` says.
std::shared_ptr<Graph> graph_of(const CacheEntry& entry, const ModelLimits& limits,
                                std::vector<MappedFile> mapped = {});

}  // namespace rondo
