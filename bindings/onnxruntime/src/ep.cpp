#include "bindings/onnxruntime/src/ep.hpp"

#include <algorithm>
#include <utility>

#include "bindings/onnxruntime/src/names.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

const char* get_name(const OrtEp*) { return kProviderName; }

OrtStatus* get_capability(OrtEp* ep, const OrtGraph* graph, OrtEpGraphSupportInfo* support) {
    return Ep::of(ep).host().guard([&] { Ep::of(ep).claim(graph, support); });
}

OrtStatus* compile(OrtEp* ep, const OrtGraph** graphs, const OrtNode** fused_nodes,
                   std::size_t count, OrtNodeComputeInfo** infos, OrtNode**) {
    return Ep::of(ep).host().guard([&] { Ep::of(ep).compile(graphs, fused_nodes, count, infos); });
}

void release_infos(OrtEp*, OrtNodeComputeInfo** infos, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (infos[i] != nullptr) delete &FusedNode::of(infos[i]);
    }
}

OrtStatus* get_layout(OrtEp*, OrtEpDataLayout* layout) {
    *layout = OrtEpDataLayout_NCHW;
    return nullptr;
}

OrtStatus* should_convert_layout(OrtEp*, const char*, const char*, OrtEpDataLayout, int* should) {
    *should = -1;  // onnxruntime decides
    return nullptr;
}

OrtStatus* set_dynamic_options(OrtEp* ep, const char* const* keys, const char* const*,
                               std::size_t count) {
    if (count == 0) return nullptr;
    return Ep::of(ep).host().failure(
        ORT_INVALID_ARGUMENT,
        ("option '" + std::string(keys[0]) + "' can't be set for a session that exists").c_str());
}

OrtStatus* on_run_start(OrtEp*, const OrtRunOptions*) { return nullptr; }
OrtStatus* on_run_end(OrtEp*, const OrtRunOptions*, bool) { return nullptr; }

OrtStatus* create_allocator(OrtEp*, const OrtMemoryInfo*, OrtAllocator** allocator) {
    *allocator = nullptr;
    return nullptr;
}

OrtStatus* create_stream(OrtEp*, const OrtMemoryDevice*, OrtSyncStreamImpl** stream) {
    *stream = nullptr;
    return nullptr;
}

const char* get_compatibility(OrtEp*, const OrtGraph*) { return ""; }

// The ids, operators and outputs of a graph's nodes: no other graph has the same.
std::string signature_of(const HostGraph& graph) {
    std::string text;
    for (const auto& node : graph.nodes) {
        text += std::to_string(node.id) + ' ' + node.op;
        for (const auto& name : node.outputs) text += ' ' + name;
        text += '\n';
        for (const auto& body : node.bodies) text += '{' + signature_of(body.graph) + '}';
    }
    return text;
}

}  // namespace

Ep::Ep(const Host& host, Options options, const OrtLogger* logger)
    : host_(host), options_(std::move(options)), log_(host, logger) {
    ort_version_supported = kApiVersion;
    GetName = get_name;
    GetCapability = get_capability;
    Compile = ort::compile;
    ReleaseNodeComputeInfos = release_infos;
    GetPreferredDataLayout = get_layout;
    ShouldConvertDataLayoutForOp = should_convert_layout;
    SetDynamicOptions = set_dynamic_options;
    OnRunStart = on_run_start;
    OnRunEnd = on_run_end;
    CreateAllocator = create_allocator;
    CreateSyncStreamForDevice = create_stream;
    GetCompiledModelCompatibilityInfo = get_compatibility;
}

void Ep::claim(const OrtGraph* graph, OrtEpGraphSupportInfo* support) {
    if (has_compiled_ && !host_.names_graphs_apart()) return;
    auto content = read_graph(host_, graph);
    fused_.mark(content);
    auto signature = signature_of(content);
    // onnxruntime may ask twice before it compiles.
    if (claims_.empty() || signature != claims_graph_) {
        claims_ = Planner(host_, core_, options_, log_, fused_).plan(content);
        claims_graph_ = std::move(signature);
        claims_body_ = content.is_body;
    }
    OrtNodeFusionOptions fusion{kApiVersion, true};
    for (const auto& claim : claims_) {
        std::vector<const OrtNode*> nodes;
        for (const auto& node : content.nodes) {
            if (std::binary_search(claim.ids.begin(), claim.ids.end(), node.id)) {
                nodes.push_back(node.handle);
            }
        }
        host_.check(host_.ep().EpGraphSupportInfo_AddNodesToFuse(support, nodes.data(),
                                                                 nodes.size(), &fusion));
    }
}

void Ep::compile(const OrtGraph** graphs, const OrtNode** fused_nodes, std::size_t count,
                 OrtNodeComputeInfo** infos) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto content = read_graph(host_, graphs[i]);
        auto& claim = claim_of(content);
        for (const auto& node : content.nodes) fused_.release_inside(node);
        auto node = std::make_unique<FusedNode>(host_, std::move(claim.part),
                                                input_names(host_, fused_nodes[i]),
                                                output_names(host_, fused_nodes[i]));
        // Nothing is around the main graph that could be claimed later.
        if (claims_body_) {
            fused_.add(operator_of(host_, fused_nodes[i]), std::move(claim.piece), *node);
        }
        infos[i] = node.release();
    }
    claims_.clear();
    // The weights of a session are needed once.
    for (std::size_t i = 0; i < count; ++i) FusedNode::of(infos[i]).release_source();
    has_compiled_ = true;
}

Claim& Ep::claim_of(const HostGraph& part) {
    std::vector<std::size_t> ids;
    for (const auto& node : part.nodes) ids.push_back(node.id);
    std::sort(ids.begin(), ids.end());
    const auto at = std::find_if(claims_.begin(), claims_.end(),
                                 [&](const Claim& claim) { return claim.ids == ids; });
    if (at != claims_.end()) return *at;
    throw InternalError("graph '" + part.name + "' isn't one that was claimed");
}

}  // namespace rondo::ort
