// EPContext nodes, which hold compiled parts in a model.
#pragma once

#include <memory>
#include <string>

#include "bindings/onnxruntime/src/compiled_part.hpp"
#include "bindings/onnxruntime/src/context_file.hpp"
#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/options.hpp"
#include "rondo/core.hpp"

namespace rondo::ort {

/// Whether the node is an EPContext that Rondo has written, by what it says.
bool is_context(const Host& host, const HostNode& node);

/// Imports the part that such a node of the graph holds. Throws an Error that names the node, and
/// the file if there is one, for whatever doesn't fit.
CompiledPart read_context(const Host& host, const Core& core, const Options& options,
                          const HostGraph& graph, const HostNode& node);

/// Writes parts as EPContext nodes, all into one file unless the nodes hold them.
class ContextWriter {
public:
    /// `model_path`: of the model that is compiled. Throws ModelError if no file can be made.
    ContextWriter(const Host& host, const ContextOptions& options, const std::string& model_path);

    /// The node for `fused`, which onnxruntime frees. Throws UnsupportedError for a part that is
    /// too large to be in a node.
    OrtNode* write(const FusedNode& part, const OrtNode* fused);
    /// After the last one.
    void finish();

private:
    const Host& host_;
    const ContextOptions& options_;
    std::unique_ptr<ContextFile> file_;  ///< null if the nodes hold the parts
};

}  // namespace rondo::ort
