// The IR's two files: reading and writing OpenVINO-style XML and its weights.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/graph/graph.hpp"
#include "core/graph/model_source.hpp"

namespace rondo::ir {

/// True for a text that starts like an IR's XML.
bool can_read(const ModelSource& source);

/// Reads `<net>` version 10 or 11 and its weights. Throws ModelError naming file and layer.
std::shared_ptr<Graph> read(const ModelSource& source);

class OutputFile;

/// Where the XML lies in a file.
struct XmlRange {
    std::size_t offset = 0;
    std::size_t size = 0;
};

/// Writes constants and then the XML to the end of one file. The XML's offsets count from the
/// file's start: read it with the whole file as its weights. Constants that lie in one of `files`
/// stay there: read it with the same files beside its weights.
XmlRange append(const Graph& graph, OutputFile& file, std::span<const MappedFile> files = {});

struct WriteOptions {
    /// f16 or bf16: f32 and f64 constants are written so, followed by a decompressing Convert as
    /// OpenVINO has it. f32: as they are.
    ElementType weights = ElementType::f32;
    /// What writes: the net's fact kVersion, unless the graph has one. Empty: none.
    std::string version = {};
    /// Whether layers say what of another file they were made from.
    bool origins = false;
};

/// Writes `path` and its weights beside it (.bin), without_empty_inputs(). Neither file is left
/// half-written. Throws ModelError for names and facts with characters that XML can't hold.
void write(const Graph& graph, const std::string& path, const WriteOptions& options = {});

/// A copy of the graph, or null if nothing needs to change, in it or in bodies:
/// - a Transpose whose order is empty gets the reversed order, if the rank is known;
/// - Unsqueeze, Tile, Broadcast, Slice, StridedSlice, Pad and Interpolate that change nothing,
/// since
///   their axes, repeats, target or starts are empty, become a Convert to the type of the data;
/// - a Gather of no index becomes a constant without elements, if its shape is known.
/// Names of nodes and tensors stay.
std::shared_ptr<Graph> without_empty_inputs(const Graph& graph);

}  // namespace rondo::ir
