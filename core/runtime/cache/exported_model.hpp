// Compiled models as bytes that any program with this build's machine or another one reads.
#pragma once

#include <iosfwd>
#include <memory>

#include "core/graph/graph.hpp"
#include "core/support/limits.hpp"
#include "rondo/properties.hpp"

namespace rondo {

/// What was exported.
struct ExportedModel {
    std::shared_ptr<Graph> graph;
    Properties properties;  ///< that the model was compiled with and another machine keeps too
};

/// Writes the graph, its constants, and those of `properties` that don't belong to the machine:
/// hints and switches, but not numbers of threads and streams. Throws ModelError if the stream
/// fails.
void write_exported(const Graph& graph, const Properties& properties, std::ostream& to);

/// Reads the stream to its end. Throws ModelError if the bytes aren't what write_exported()
/// wrote, UnsupportedError if bodies are nested deeper than `limits` says.
ExportedModel read_exported(std::istream& from, const ModelLimits& limits);

}  // namespace rondo
