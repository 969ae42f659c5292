// A file that is being written: what its graphs share, and one graph of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/ops/source/constant.hpp"
#include "core/support/unique_names.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/writer/context/external_weights.hpp"
#include "frontend/onnx/writer/context/new_node.hpp"

namespace rondo::onnx {

class GraphDraft;

inline constexpr const char* kMicrosoftDomain = "com.microsoft";

/// What is the same for all graphs of a file. Names are unique in the whole file, so that no name
/// in a body hides one outside.
struct FileDraft {
    /// Raises the opset to the first one whose operators take the type.
    void use_type(ElementType type);

    /// Writes the nodes of a graph into the draft, which names its parameters.
    void (*write_nodes)(const Graph& graph, GraphDraft& draft) = nullptr;
    ElementType weights = ElementType::f32;  ///< f16 or bf16: of f32 and f64 constants
    ExternalWeights* external = nullptr;     ///< takes large constants, where there is one
    UniqueNames names{};                     ///< of values
    UniqueNames node_names{};
    std::int64_t opset = 22;              ///< the least that has all operators so far
    bool uses_microsoft = false;          ///< whether some operator is one of com.microsoft
    std::vector<std::string> refusals{};  ///< a message for each node that can't be written
};

/// A graph of the file: its message, and the names of its values.
class GraphDraft {
public:
    GraphDraft(FileDraft& file, rondo_onnx::GraphProto& graph) : file_(&file), graph_(&graph) {}

    FileDraft& file() { return *file_; }
    rondo_onnx::GraphProto& message() { return *graph_; }

    /// The name under which nodes read the value. A constant is written when it is first asked for.
    std::string name_of(const Output& value);
    void set_name(const Output& value, std::string name);

    /// Adds a node with so many outputs, whose names are new.
    NewNode emit(const std::string& type, const std::vector<std::string>& inputs,
                 std::size_t outputs = 1);
    /// The same of an operator of com.microsoft.
    NewNode emit_microsoft(const std::string& type, const std::vector<std::string>& inputs,
                           std::size_t outputs);
    /// Writes a constant; one with equal bytes that is small is written once.
    std::string constant(const Tensor& value, const std::string& name = "constant");

    /// An input or output of the graph, of that type and shape.
    void add_input(const std::string& name, ElementType type, const PartialShape& shape);
    void add_output(const std::string& name, ElementType type, const PartialShape& shape);

private:
    std::string compressed(const ops::Constant& node);
    std::string initializer(const Tensor& value, const std::string& name);

    using Place = std::pair<const Node*, std::size_t>;
    using SmallConstant = std::tuple<ElementType, Shape, std::string>;
    FileDraft* file_;
    rondo_onnx::GraphProto* graph_;
    std::map<Place, std::string> names_;
    std::map<SmallConstant, std::string> small_constants_;
};

}  // namespace rondo::onnx
