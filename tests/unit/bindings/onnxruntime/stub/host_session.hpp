// Sessions of the tests' own host: what onnxruntime does with a plugin, for models of the tests.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rondo/tensor.hpp"
#include "tests/unit/bindings/onnxruntime/stub/host_api.hpp"
#include "tests/unit/frontend/onnx/model_builder.hpp"

namespace rondo::ort {

/// An error of the plugin or of the host.
class SessionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Loads a model, asks the plugin graph by graph, bodies first, and puts a node in place of each
/// group that it claims. Constants that no node is left to read are freed.
///
/// What the plugin leaves is run here: the operator Twice of the domain "test", Identity, and If.
class HostSession {
public:
    /// Throws SessionError with what the plugin reports, or for an EPContext that it leaves.
    explicit HostSession(const rondo::test::ModelBuilder& model,
                         const std::map<std::string, std::string>& options = {});
    ~HostSession();
    HostSession(const HostSession&) = delete;
    HostSession& operator=(const HostSession&) = delete;

    /// Thread-safe. Throws SessionError.
    std::map<std::string, rondo::Tensor> run(
        const std::map<std::string, rondo::Tensor>& inputs) const;

    /// The operators of a graph's nodes now, in order; "Rondo" for those that were put in place of
    /// others. `path` names a body: "then_branch", "body/then_branch".
    std::vector<std::string> operators(const std::string& path = "") const;
    /// The model with the EPContext nodes that the plugin has made in place of what it runs.
    rondo::test::ModelBuilder context_model() const;
    /// What the plugin says of the parts in that model.
    std::string compatibility() const;
    /// Ends the profile: its rows, which are the plugin's.
    std::vector<OrtProfilingEvent> end_profiling();
    /// Microseconds since the profile began.
    std::int64_t elapsed() const;
    /// What the plugin has logged.
    const std::vector<std::string>& log() const { return logger_.lines; }
    bool has_logged(const std::string& text) const;

private:
    using Scope = std::map<std::string, std::shared_ptr<OrtValue>>;
    void check(OrtStatus* status) const;
    void start_profiling();
    void release();
    void partition(OrtGraph& graph);
    void fuse(OrtGraph& graph, const std::vector<std::vector<const OrtNode*>>& groups);
    void run_graph(const OrtGraph& graph, Scope& scope) const;
    void run_node(const OrtNode& node, Scope& scope) const;
    void run_fused(const OrtNode& node, OrtNodeComputeInfo& info, Scope& scope) const;

    OrtSessionOptions options_;
    mutable OrtLogger logger_;
    OrtEpFactory* factory_ = nullptr;
    OrtEp* ep_ = nullptr;
    OrtEpProfilerImpl* profiler_ = nullptr;
    std::chrono::steady_clock::time_point profile_begin_;
    rondo::test::ModelBuilder model_;
    std::map<std::string, rondo_onnx::NodeProto> contexts_;  // by the fused node's name
    std::unique_ptr<OrtGraph> graph_;
    std::vector<std::shared_ptr<OrtNode>> replaced_;
    std::map<std::string, OrtNodeComputeInfo*> infos_;  // by the fused node's operator
    std::map<std::string, void*> states_;
};

}  // namespace rondo::ort
