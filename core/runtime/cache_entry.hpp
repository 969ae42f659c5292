// The file format of the model cache.
#pragma once

#include <string>
#include <string_view>

#include "core/graph/graph.hpp"
#include "core/ir/ir.hpp"
#include "core/support/mapped_file.hpp"

namespace rondo {

namespace ir {
class OutputFile;
}

/// An entry whose frame is valid: sizes fit, the digest of all bytes is right, the key is the
/// requested one.
struct CacheEntry {
    MappedFile file;
    ir::XmlRange xml;        ///< its offsets count from the file's start
    std::string_view files;  ///< points into `file`
};

/// header, constants, XML, key, list of files, footer. The caller finishes and publishes the file.
void write_entry(ir::OutputFile& file, const Graph& graph, const std::string& key,
                 const std::string& files);

/// Maps the file. Throws ModelError with the reason if it isn't a whole entry of that key.
CacheEntry open_entry(const std::string& path, const std::string& key);

}  // namespace rondo
