// A part of a graph that Rondo has compiled, and how onnxruntime runs it.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "bindings/onnxruntime/src/profile.hpp"
#include "rondo/compiled_model.hpp"

namespace rondo::ort {

/// The ports of a compiled model by the names that the part's values have in the graph.
struct CompiledPart {
    CompiledModel model;
    std::map<std::string, std::size_t> inputs;
    std::map<std::string, std::size_t> outputs;
};

/// Throws InternalError if the model lacks a port of one of the names.
CompiledPart make_part(CompiledModel model, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs);

/// What onnxruntime calls for a node that it has made of a part: on any threads, at any time.
class FusedNode : public OrtNodeComputeInfo {
public:
    /// `inputs` and `outputs` are the node's, in its order. Throws InternalError if the part has
    /// a port that the node lacks.
    FusedNode(const Host& host, CompiledPart part, std::shared_ptr<Profile> profile,
              const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
    ~FusedNode();

    static FusedNode& of(OrtNodeComputeInfo* info) { return *static_cast<FusedNode*>(info); }

    void compute(OrtKernelContext* context);
    /// The node won't run: frees the model.
    void release();
    /// See CompiledModel::release_source().
    void release_source() { model_.release_source(); }
    /// See CompiledModel::export_model().
    void export_model(std::ostream& stream) const { model_.export_model(stream); }
    /// The node's input for each input of the model.
    const std::vector<std::size_t>& sources() const { return sources_; }
    /// The node's output for each output of the model.
    const std::vector<std::size_t>& targets() const { return targets_; }

private:
    class Run;
    std::unique_ptr<Run> take();
    void give_back(std::unique_ptr<Run> run);

    const Host& host_;
    CompiledModel model_;
    const std::shared_ptr<Profile> profile_;
    const std::vector<std::size_t> sources_;
    const std::vector<std::size_t> targets_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Run>> idle_;
};

}  // namespace rondo::ort
