// The execution provider of one session.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bindings/onnxruntime/src/host.hpp"
#include "bindings/onnxruntime/src/host_graph.hpp"
#include "bindings/onnxruntime/src/options.hpp"
#include "bindings/onnxruntime/src/piece.hpp"
#include "bindings/onnxruntime/src/plan.hpp"
#include "rondo/core.hpp"

namespace rondo::ort {

/// onnxruntime calls it while a session is made, graph by graph, bodies before the graphs around
/// them: claim(), and compile() if anything was claimed.
class Ep : public OrtEp25 {
public:
    Ep(const Host& host, Options options, const OrtLogger* logger);

    static Ep& of(OrtEp* ep) { return *static_cast<Ep*>(ep); }

    const Host& host() const { return host_; }
    void claim(const OrtGraph* graph, OrtEpGraphSupportInfo* support);
    /// One node for each graph, which holds the nodes of a claim. `contexts` takes their EPContext
    /// nodes, if the session is to write them. Gives no infos if it throws.
    void compile(const OrtGraph** graphs, const OrtNode** fused_nodes, std::size_t count,
                 OrtNodeComputeInfo** infos, OrtNode** contexts);
    /// All graphs have been looked at. Thread-safe.
    void start_run();
    /// For the profile of the whole session; null for those that begin later, of single runs.
    OrtEpProfilerImpl* make_profiler();
    /// What the model that this session writes says of the parts in it; empty if there are none.
    const char* compatibility() const { return compatibility_.c_str(); }

private:
    Claim& claim_of(const HostGraph& part);
    std::unique_ptr<FusedNode> make_node(const HostGraph& part, const OrtNode* fused, Claim& claim);

    const Host& host_;
    Options options_;
    const Log log_;
    Core core_;
    FusedPieces fused_;
    std::shared_ptr<Profile> profile_;  ///< null: none is made
    std::string compatibility_;
    bool has_compiled_ = false;
    std::once_flag has_run_;
    std::vector<Claim> claims_;  ///< of the graph that was looked at last
    std::string claims_graph_;   ///< what that graph is: see signature_of()
    bool claims_body_ = false;   ///< whether it is a body
};

}  // namespace rondo::ort
