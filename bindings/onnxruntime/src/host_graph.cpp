#include "bindings/onnxruntime/src/host_graph.hpp"

#include <memory>
#include <utility>

namespace rondo::ort {
namespace {

// Lists come in two calls: how many there are, and all of them.
template <typename Item, typename Owner>
std::vector<const Item*> list(const Host& host, const Owner* owner,
                              OrtStatus* (*count)(const Owner*, std::size_t*),
                              OrtStatus* (*fill)(const Owner*, const Item**, std::size_t)) {
    std::vector<const Item*> items(host.get<std::size_t>(count, owner));
    if (!items.empty()) host.check(fill(owner, items.data(), items.size()));
    return items;
}

std::string text(const char* text) { return text == nullptr ? "" : text; }

std::string name_of(const Host& host, const OrtValueInfo* value) {
    if (value == nullptr) return "";
    return text(host.get<const char*>(host->GetValueInfoName, value));
}

std::vector<std::string> names_of(const Host& host, const std::vector<const OrtValueInfo*>& all) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const auto* value : all) names.push_back(name_of(host, value));
    return names;
}

ValueType tensor_type(const Host& host, const OrtTensorTypeAndShapeInfo* info) {
    ValueType type;
    type.is_tensor = true;
    type.element_type =
        static_cast<int>(host.get<ONNXTensorElementDataType>(host->GetTensorElementType, info));
    const auto rank = host.get<std::size_t>(host->GetDimensionsCount, info);
    type.has_shape = host.has_shape(info, rank);
    if (rank == 0) return type;
    std::vector<std::int64_t> lengths(rank);
    std::vector<const char*> symbols(rank);
    host.check(host->GetDimensions(info, lengths.data(), rank));
    host.check(host->GetSymbolicDimensions(info, symbols.data(), rank));
    for (std::size_t axis = 0; axis < rank; ++axis) {
        type.shape.push_back({lengths[axis], text(symbols[axis])});
    }
    return type;
}

ValueType type_of(const Host& host, const OrtValueInfo* value) {
    const auto* type = host.get<const OrtTypeInfo*>(host->GetValueInfoTypeInfo, value);
    if (type == nullptr) return {};
    if (host.get<ONNXType>(host->GetOnnxTypeFromTypeInfo, type) != ONNX_TYPE_TENSOR) return {};
    const auto* tensor =
        host.get<const OrtTensorTypeAndShapeInfo*>(host->CastTypeInfoToTensorInfo, type);
    return tensor == nullptr ? ValueType{} : tensor_type(host, tensor);
}

std::string main_name(const Host& host, const OrtGraph* graph) {
    using Metadata = std::unique_ptr<OrtModelMetadata, decltype(host->ReleaseModelMetadata)>;
    const Metadata metadata(host.get<OrtModelMetadata*>(host->Graph_GetModelMetadata, graph),
                            host->ReleaseModelMetadata);
    auto* allocator = host.get<OrtAllocator*>(host->GetAllocatorWithDefaultOptions);
    char* name = host.get<char*>(host->ModelMetadataGetGraphName, metadata.get(), allocator);
    const std::string copy = text(name);
    host.check(host->AllocatorFree(allocator, name));
    return copy;
}

class GraphReader {
public:
    explicit GraphReader(const Host& host) : host_(host) {}

    HostGraph read(const OrtGraph* handle) {
        HostGraph graph;
        graph.handle = handle;
        graph.name = text(host_.get<const char*>(host_->Graph_GetName, handle));
        read_opsets(graph);
        graph.inputs = add_values(
            graph, list(host_, handle, host_->Graph_GetNumInputs, host_->Graph_GetInputs));
        graph.outputs = add_values(
            graph, list(host_, handle, host_->Graph_GetNumOutputs, host_->Graph_GetOutputs));
        graph.initializers = add_values(graph, list(host_, handle, host_->Graph_GetNumInitializers,
                                                    host_->Graph_GetInitializers));
        for (const auto* node :
             list(host_, handle, host_->Graph_GetNumNodes, host_->Graph_GetNodes)) {
            graph.nodes.push_back(read_node(graph, node));
        }
        return graph;
    }

private:
    void read_opsets(HostGraph& graph) {
        const auto count = host_.get<std::size_t>(host_->Graph_GetNumOperatorSets, graph.handle);
        std::vector<const char*> domains(count);
        std::vector<std::int64_t> versions(count);
        host_.check(
            host_->Graph_GetOperatorSets(graph.handle, domains.data(), versions.data(), count));
        for (std::size_t i = 0; i < count; ++i) graph.opsets[text(domains[i])] = versions[i];
    }

    HostNode read_node(HostGraph& graph, const OrtNode* handle) {
        HostNode node;
        node.handle = handle;
        node.id = host_.get<std::size_t>(host_->Node_GetId, handle);
        node.name = name_of(host_, handle);
        node.op = operator_of(host_, handle);
        node.domain = text(host_.get<const char*>(host_->Node_GetDomain, handle));
        node.inputs =
            add_values(graph, list(host_, handle, host_->Node_GetNumInputs, host_->Node_GetInputs));
        node.outputs = add_values(
            graph, list(host_, handle, host_->Node_GetNumOutputs, host_->Node_GetOutputs));
        node.implicit_inputs = add_values(
            graph,
            list(host_, handle, host_->Node_GetNumImplicitInputs, host_->Node_GetImplicitInputs));
        read_bodies(node);
        return node;
    }

    void read_bodies(HostNode& node) {
        const auto count = host_.get<std::size_t>(host_->Node_GetNumSubgraphs, node.handle);
        std::vector<const OrtGraph*> bodies(count);
        std::vector<const char*> attributes(count);
        if (count == 0) return;
        host_.check(host_->Node_GetSubgraphs(node.handle, bodies.data(), count, attributes.data()));
        for (std::size_t i = 0; i < count; ++i) {
            node.bodies.push_back({text(attributes[i]), read(bodies[i])});
        }
    }

    std::vector<std::string> add_values(HostGraph& graph,
                                        const std::vector<const OrtValueInfo*>& values) {
        for (const auto* value : values) {
            if (value == nullptr) continue;
            auto [at, is_new] = graph.values.try_emplace(name_of(host_, value));
            if (!is_new) continue;
            if (host_.get<bool>(host_->ValueInfo_IsFromOuterScope, value)) graph.is_body = true;
            at->second.handle = value;
            at->second.type = type_of(host_, value);
            at->second.is_constant = host_.get<bool>(host_->ValueInfo_IsConstantInitializer, value);
        }
        return names_of(host_, values);
    }

    const Host& host_;
};

}  // namespace

HostGraph read_graph(const Host& host, const OrtGraph* handle) {
    HostGraph graph = GraphReader(host).read(handle);
    const auto* parent = host.get<const OrtNode*>(host->Graph_GetParentNode, handle);
    if (parent != nullptr) graph.parent_op = operator_of(host, parent);
    // onnxruntime 1.23 doesn't say which node has a body, but what the main graph is called.
    graph.is_body = graph.is_body || parent != nullptr || graph.name != main_name(host, handle);
    return graph;
}

const OrtValue* constant_of(const Host& host, const HostValue& value) {
    const OrtValue* held = nullptr;
    if (auto* status = host->ValueInfo_GetInitializerValue(value.handle, &held)) {
        host->ReleaseStatus(status);
        return nullptr;
    }
    return held;
}

std::vector<std::string> input_names(const Host& host, const OrtNode* node) {
    return names_of(host, list(host, node, host->Node_GetNumInputs, host->Node_GetInputs));
}

std::vector<std::string> output_names(const Host& host, const OrtNode* node) {
    return names_of(host, list(host, node, host->Node_GetNumOutputs, host->Node_GetOutputs));
}

std::string operator_of(const Host& host, const OrtNode* node) {
    return text(host.get<const char*>(host->Node_GetOperatorType, node));
}

std::string name_of(const Host& host, const OrtNode* node) {
    return text(host.get<const char*>(host->Node_GetName, node));
}

std::string named(const HostNode& node) {
    std::string name = node.name;
    for (const auto& output : node.outputs) {
        if (name.empty()) name = output;
    }
    return "node " + in_quotes(name) + " (" + node.op + ")";
}

std::string model_path(const Host& host, const OrtGraph* graph) {
    return text(host.get<const char*>(host->Graph_GetModelPath, graph));
}

}  // namespace rondo::ort
