#include "bindings/onnxruntime/src/ep.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "bindings/onnxruntime/src/compatibility.hpp"
#include "bindings/onnxruntime/src/ep_context.hpp"
#include "bindings/onnxruntime/src/host_attribute.hpp"
#include "bindings/onnxruntime/src/names.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

const char* get_name(const OrtEp*) { return kProviderName; }

OrtStatus* get_capability(OrtEp* ep, const OrtGraph* graph, OrtEpGraphSupportInfo* support) {
    return Ep::of(ep).host().guard([&] { Ep::of(ep).claim(graph, support); });
}

OrtStatus* compile(OrtEp* ep, const OrtGraph** graphs, const OrtNode** fused_nodes,
                   std::size_t count, OrtNodeComputeInfo** infos, OrtNode** contexts) {
    return Ep::of(ep).host().guard(
        [&] { Ep::of(ep).compile(graphs, fused_nodes, count, infos, contexts); });
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

OrtStatus* on_run_start(OrtEp* ep, const OrtRunOptions*) {
    Ep::of(ep).start_run();
    return nullptr;
}
OrtStatus* on_run_end(OrtEp*, const OrtRunOptions*, bool) { return nullptr; }

OrtStatus* create_allocator(OrtEp*, const OrtMemoryInfo*, OrtAllocator** allocator) {
    *allocator = nullptr;
    return nullptr;
}

OrtStatus* create_stream(OrtEp*, const OrtMemoryDevice*, OrtSyncStreamImpl** stream) {
    *stream = nullptr;
    return nullptr;
}

const char* get_compatibility(OrtEp* ep, const OrtGraph*) { return Ep::of(ep).compatibility(); }

OrtStatus* create_profiler(OrtEp* ep, OrtEpProfilerImpl** profiler) {
    return Ep::of(ep).host().guard([&] { *profiler = Ep::of(ep).make_profiler(); });
}

void add_names(std::string& text, const std::vector<std::string>& names) {
    for (const auto& name : names) text += ' ' + name;
    text += '\n';
}

// The node's attributes; empty if they can't be read, as then the node isn't claimed.
std::string attributes_text(const Host& host, const HostNode& node) {
    std::string text;
    try {
        for (const auto& attribute : attribute_messages(host, node.handle)) {
            text += attribute.bytes();
        }
    } catch (const UnsupportedError&) {
        return "";
    }
    return text;
}

// Two graphs with equal texts do the same: names and operators, attributes, and where the constants
// are. Bodies of one model may well have all names in common. Empty for a graph of EPContext nodes,
// whose attributes are large.
std::string signature_of(const Host& host, const HostGraph& graph) {
    std::string text = graph.name + '\n';
    add_names(text, graph.inputs);
    for (const auto& [name, value] : graph.values) {
        if (!value.is_constant) continue;
        const auto place = reinterpret_cast<std::uintptr_t>(constant_of(host, value));
        text += name + ' ' + std::to_string(place) + '\n';
    }
    for (const auto& node : graph.nodes) {
        text += std::to_string(node.id) + ' ' + node.domain + ' ' + node.op + '\n';
        add_names(text, node.inputs);
        add_names(text, node.outputs);
        if (is_context(host, node)) return "";
        text += attributes_text(host, node);
        for (const auto& body : node.bodies) text += '{' + signature_of(host, body.graph) + '}';
    }
    return text;
}

}  // namespace

Ep::Ep(const Host& host, Options options, const OrtLogger* logger)
    : host_(host), options_(std::move(options)), log_(host, logger) {
    ort_version_supported = host.has_profilers() ? kProfilerVersion : kApiVersion;
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
    CreateProfiler = create_profiler;
}

void Ep::claim(const OrtGraph* graph, OrtEpGraphSupportInfo* support) {
    if (has_compiled_ && !host_.names_graphs_apart()) return;
    // onnxruntime keeps the EPContext nodes of one call of compile().
    if (has_compiled_ && options_.context.is_written) return;
    if (profile_ != nullptr && profile_->is_on()) options_.properties[property::kPerfTrace] = "YES";
    auto content = read_graph(host_, graph);
    fused_.mark(content);
    auto signature = signature_of(host_, content);
    // onnxruntime may ask twice before it compiles.
    if (claims_.empty() || signature.empty() || signature != claims_graph_) {
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
                 OrtNodeComputeInfo** infos, OrtNode** contexts) {
    std::vector<std::unique_ptr<FusedNode>> nodes;
    for (std::size_t i = 0; i < count; ++i) {
        const auto part = read_graph(host_, graphs[i]);
        for (const auto& node : part.nodes) fused_.release_inside(node);
        nodes.push_back(make_node(part, fused_nodes[i], claim_of(part)));
    }
    if (options_.context.is_written) {
        ContextWriter writer(host_, options_.context, model_path(host_, graphs[0]));
        for (std::size_t i = 0; i < count; ++i) {
            contexts[i] = writer.write(*nodes[i], fused_nodes[i]);
        }
        writer.finish();
        compatibility_ = compatibility_text();
    }
    claims_.clear();
    claims_graph_.clear();
    // The weights of a session are needed once.
    for (const auto& node : nodes) node->release_source();
    for (std::size_t i = 0; i < count; ++i) infos[i] = nodes[i].release();
    has_compiled_ = true;
}

std::unique_ptr<FusedNode> Ep::make_node(const HostGraph& part, const OrtNode* fused,
                                         Claim& claim) {
    auto node = std::make_unique<FusedNode>(host_, std::move(claim.part), profile_,
                                            input_names(host_, fused), output_names(host_, fused));
    // Nothing is around the main graph that could be claimed later, and what an EPContext node was
    // made of isn't known.
    const bool may_be_inside = claims_body_ && !is_context(host_, part.nodes.front());
    if (may_be_inside) fused_.add(operator_of(host_, fused), std::move(claim.piece), *node);
    return node;
}

void Ep::start_run() {
    std::call_once(has_run_, [this] { fused_.clear(); });
}

OrtEpProfilerImpl* Ep::make_profiler() {
    if (profile_ != nullptr || has_compiled_) return nullptr;
    profile_ = std::make_shared<Profile>();
    return ort::make_profiler(host_, profile_);
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
