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
    /// growing: a sequence to which the body adds a tensor, without looking at the others.
    enum class Form : std::uint8_t { tensor, sequence, growing };

    ElementType type = ElementType::dynamic;
    PartialShape shape;
    /// Where set, the parameter has one more axis of one element there, which the body doesn't see.
    std::optional<std::int64_t> extra_axis = {};
    /// A single element, of rank 1 where the body declares so.
    bool is_number = false;
    Form form = Form::tensor;
    std::vector<BodyValue> tensors = {};  ///< of a sequence: a parameter each
    std::size_t slot = 0;                 ///< the number of a growing one
};

/// How a body is to be read.
struct BodyRequest {
    std::vector<BodyValue> inputs = {};
    /// Where an output gets one more axis of one element, counted in the output with that axis.
    std::function<std::optional<std::int64_t>(std::size_t output)> extra_axis = {};
    /// Whether outputs may be sequences.
    bool takes_sequences = false;
    /// Whether the body's nodes go into the graph around, as those of a function do.
    bool is_inlined = false;
};

/// An output of the body: `count` of the graph's results from `first` on.
struct BodyOutput {
    /// rows: one result, whose rows are the tensors of a sequence. growing: the sequence of that
    /// slot; the result, if there is one, is the new tensor with one more axis in front.
    enum class Form : std::uint8_t { tensor, sequence, rows, growing };

    Form form = Form::tensor;
    std::size_t first = 0;
    std::size_t count = 1;
    std::size_t slot = 0;
};

/// The body: parameters for the inputs, then one for each tensor that it reads from the graph
/// around it.
struct BodyGraph {
    GraphPtr graph;
    std::vector<Output> captured;
    std::vector<BodyOutput> outputs;
};

using ReadBody =
    std::function<BodyGraph(const rondo_onnx::GraphProto& graph, const BodyRequest& request)>;

}  // namespace rondo::onnx
