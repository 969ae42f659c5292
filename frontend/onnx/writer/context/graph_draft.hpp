// A file that is being written: what its graphs share, one graph of it, and a node of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/graph/attribute_visitor.hpp"
#include "core/graph/graph.hpp"
#include "core/ops/source/source_ops.hpp"
#include "core/support/errors.hpp"
#include "core/support/unique_names.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/writer/context/external_weights.hpp"

namespace rondo::onnx {

class GraphDraft;

/// Names of values in the file.
using Names = std::vector<std::string>;
using Ints = std::vector<std::int64_t>;

inline constexpr const char* kMicrosoftDomain = "com.microsoft";

/// A handle: adds attributes to a node's message, and knows the names of its outputs.
class NewNode {
public:
    using Attribute =
        std::variant<std::int64_t, float, std::string, Ints, std::vector<float>, Names>;

    explicit NewNode(rondo_onnx::NodeProto& node) : node_(&node) {}

    /// A bool becomes 0 or 1.
    NewNode& with(const char* name, const Attribute& value);
    /// As the table calls the value.
    template <typename Enum>
    NewNode& with(const char* name, Enum value, EnumNames<std::type_identity_t<Enum>> table) {
        for (const auto& [known, entry] : table) {
            if (entry == value) return with(name, std::string(known));
        }
        internal_error("a value of an enumeration has no name");
    }
    /// The message of a new graph, of that name.
    rondo_onnx::GraphProto& add_graph(const char* attribute, const std::string& name);
    void set_domain(const char* domain);

    /// Leaves the output out: no node reads it.
    void drop_output(std::size_t index);
    std::string output(std::size_t index) const;
    /// The name of the first output, and the names of all.
    operator std::string() const { return output(0); }  // NOLINT: implicit on purpose
    operator Names() const;                             // NOLINT: implicit on purpose

private:
    rondo_onnx::NodeProto* node_;
};

/// What is the same for all graphs of a file. Names are unique in the whole file, so that no name
/// in a body hides one outside.
struct FileDraft {
    /// Raises the opset to the first one whose operators take the type.
    void use_type(ElementType type);

    /// Writes the nodes of a graph into the draft, which names its parameters.
    void (*write_nodes)(const Graph& graph, GraphDraft& draft) = nullptr;
    ElementType weights = ElementType::f32;  ///< f16 or bf16: of f32 and f64 constants
    ExternalWeights* external = nullptr;     ///< takes large constants, if there is one
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
    NewNode emit(std::string_view type, const Names& inputs, std::size_t outputs = 1);
    /// Whether one of the nodes from `first` on makes the value.
    bool makes(const std::string& value, int first = 0) const;
    /// Writes a constant; one with equal bytes that is small is written once.
    std::string constant(const Tensor& value, const std::string& name = "constant");

    /// An input or output of the graph, of that type and shape. An input's name is made unique.
    std::string add_input(const std::string& wanted, ElementType type, const PartialShape& shape);
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
