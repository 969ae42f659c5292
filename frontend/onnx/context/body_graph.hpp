// A graph that is an attribute of a node, read for what the node gives it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/graph/graph.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// A sequence that goes round in a loop. Its form in the body is the first one that does: growing,
/// growing with the last tensor, joined (where `axis` is known), rows.
struct LoopList {
    Output start = {};  ///< of the graph around the loop
    /// What is known of the tensors: as the body adds them, and as its input is declared.
    ElementType type = ElementType::dynamic;
    PartialShape shape = {};
    std::optional<std::size_t> declared_rank = {};
    /// Along which all readers behind the loop join the list; nothing where one does otherwise.
    std::optional<std::int64_t> axis = {};
    bool has_added = false;
};
using LoopListPtr = std::shared_ptr<LoopList>;

/// Leaves the reader of a body that does more with a list than its form allows. It is no Error: the
/// reader of the loop that owns the list reads the body again.
struct ListIsRead {
    LoopListPtr list;
    /// Whether the last tensor is enough.
    bool is_last_enough = false;
};

/// What an input of a body gets.
struct BodyValue {
    /// growing: a sequence to which the body adds tensors, of which it sees the last one at most.
    /// rows: one whose tensors are the rows of one tensor. joined: one that is its tensors joined
    /// along an axis.
    enum class Form : std::uint8_t { tensor, sequence, growing, rows, joined };

    ElementType type = ElementType::dynamic;
    PartialShape shape;
    /// Where set, the parameter has one more axis of one element there, which the body doesn't see.
    std::optional<std::int64_t> extra_axis = {};
    /// A single element, of rank 1 where the body declares so.
    bool is_number = false;
    Form form = Form::tensor;
    std::vector<BodyValue> tensors = {};  ///< of a sequence: a parameter each
    LoopListPtr list = {};                ///< of a sequence that goes round in a loop
};

/// How many tensors of a growing sequence there are: the last one that was there when the iteration
/// began, and those that the body adds in front and behind.
struct AddedCounts {
    std::size_t last = 0;
    std::size_t front = 0;
    std::size_t back = 0;
    friend bool operator==(const AddedCounts&, const AddedCounts&) = default;
};

/// How a body is to be read.
struct BodyRequest {
    std::vector<BodyValue> inputs = {};
    /// Where an output gets one more axis of one element, counted in the output with that axis.
    std::function<std::optional<std::int64_t>(std::size_t output)> extra_axis = {};
    /// Whether outputs may be sequences.
    bool takes_sequences = false;
    /// Whether what a growing sequence gets in front or behind is one result, [n, ...], each.
    bool stacks_added = false;
    /// Outputs that are sequences of known length and are to be rows.
    std::set<std::size_t> as_rows = {};
    /// Whether the body's nodes go into the graph around, as those of a function do.
    bool is_inlined = false;
};

/// An output of the body: `count` of the graph's results from `first` on.
struct BodyOutput {
    /// growing: the results are the last tensor, if the body sees it, and what it adds.
    using Form = BodyValue::Form;

    Form form = Form::tensor;
    std::size_t first = 0;
    std::size_t count = 1;
    LoopListPtr list = {};
    AddedCounts added = {};  ///< in tensors, of a growing sequence
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
