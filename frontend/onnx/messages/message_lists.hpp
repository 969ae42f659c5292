// Looks through the lists of a message, and changes them in place.
#pragma once

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

namespace rondo::onnx {

/// The name of an initializer.
inline const std::string& name_of(const rondo_onnx::TensorProto& tensor) { return tensor.name(); }
inline const std::string& name_of(const rondo_onnx::SparseTensorProto& tensor) {
    return tensor.values().name();
}

/// The names of a graph's initializers, as parts of the message.
inline std::unordered_set<std::string_view> initializer_names(const rondo_onnx::GraphProto& graph) {
    std::unordered_set<std::string_view> names;
    for (const auto& tensor : graph.initializer()) names.insert(name_of(tensor));
    for (const auto& tensor : graph.sparse_initializer()) names.insert(name_of(tensor));
    return names;
}

/// The attribute of that name, or null.
template <typename Attributes>
auto* find_attribute(Attributes& all, std::string_view name) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name() == name; });
    return at == all.end() ? nullptr : &*at;
}

/// Calls `visit` with each graph that is an attribute of the node.
template <typename Visit>
void for_each_body(const rondo_onnx::NodeProto& node, const Visit& visit) {
    for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) visit(attribute.g());
        for (const auto& body : attribute.graphs()) visit(body);
    }
}

/// Keeps the elements for whose index `is_kept` holds, in their order.
template <typename List, typename IsKept>
void keep_if(List& list, const IsKept& is_kept) {
    int kept = 0;
    for (int i = 0; i < list.size(); ++i) {
        if (!is_kept(i)) continue;
        if (i != kept) list.SwapElements(i, kept);
        ++kept;
    }
    list.erase(list.begin() + kept, list.end());
}

}  // namespace rondo::onnx
