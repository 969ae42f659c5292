// A graph that is an attribute of a node, read for what the node gives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// What an input of a body gets.
struct BodyValue {
    ElementType type = ElementType::dynamic;
    PartialShape shape;
    /// Where set, the parameter has one more axis of one element there, which the body doesn't see.
    std::optional<std::int64_t> extra_axis = {};
    /// A single element, of rank 1 where the body declares so.
    bool is_number = false;
};

/// How a body is to be read.
struct BodyRequest {
    std::vector<BodyValue> inputs = {};
    /// Where a result gets one more axis of one element, counted in the result with that axis.
    std::function<std::optional<std::int64_t>(std::size_t result)> extra_axis = {};
};

/// The body: parameters for the inputs, then one for each tensor that it reads from the graph
/// around it.
struct BodyGraph {
    GraphPtr graph;
    std::vector<Output> captured;
};

using ReadBody =
    std::function<BodyGraph(const rondo_onnx::GraphProto& graph, const BodyRequest& request)>;

}  // namespace rondo::onnx
