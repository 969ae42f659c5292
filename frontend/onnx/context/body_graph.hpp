// A graph that is an attribute of a node, read for what the node gives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontend/onnx/context/sequence.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// What an input of a body gets.
struct BodyValue {
    ElementType type = ElementType::dynamic;
    PartialShape shape = {};
    /// If set, the parameter has one more axis of one element there, which the body doesn't see.
    std::optional<std::int64_t> extra_axis = {};
    /// A single element, of rank 1 if the body declares so.
    bool is_number = false;
    /// A sequence has a form, and inputs, which are a parameter each.
    std::optional<SequenceForm> form = {};
    std::vector<BodyValue> tensors = {};
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

/// An output of the body: a tensor, for which the graph has a result, or a sequence, for which its
/// reader makes results.
struct BodyOutput {
    std::string name;
    Output value;
    /// A sequence that a loop carries as one tensor, if the loop does more than to add tensors,
    /// or the parameter that is its last tensor, if the body reads that alone.
    Output whole = {};
    Output last = {};
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

/// Gives the input that is the list its next form, or the type and shape of its tensors; false
/// if no input is. Throws UnsupportedError if they aren't known.
bool prepare_to_read(const ListIsRead& read, BodyRequest& request);

/// The whole of a loop's sequence as the body's input, as far as it is known. The second one throws
/// UnsupportedError if the type or rank of the tensors isn't.
BodyValue whole_of(const SequenceForm& form);
BodyValue known_whole_of(const SequenceForm& form);

}  // namespace rondo::onnx
