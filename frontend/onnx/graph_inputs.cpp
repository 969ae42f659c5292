#include "frontend/onnx/graph_inputs.hpp"

#include <rondo_onnx.pb.h>
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/graph/printer.hpp"
#include "core/graph/rt_info_keys.hpp"
#include "core/support/errors.hpp"
#include "core/support/strings.hpp"
#include "frontend/onnx/messages/data_type.hpp"
#include "frontend/onnx/messages/message_lists.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

// Exporters write -1 for an open extent, too, though ONNX has names for them.
PartialShape shape_from(const rondo_onnx::TensorShapeProto& message) {
    std::vector<Dimension> extents;
    for (const auto& extent : message.dim()) {
        extents.push_back(extent.has_dim_value() ? Dimension(extent.dim_value()) : Dimension());
    }
    return {std::move(extents)};
}

}  // namespace

std::shared_ptr<ops::Parameter> make_parameter(const rondo_onnx::ValueInfoProto& input) {
    const auto& type = input.type();
    if (type.value_case() == rondo_onnx::TypeProto::VALUE_NOT_SET) {
        return std::make_shared<ops::Parameter>();
    }
    if (!type.has_tensor_type()) {
        throw UnsupportedError(
            "it is not a tensor: sequences, maps, optional and sparse tensors are "
            "not supported");
    }
    const auto& tensor = type.tensor_type();
    return std::make_shared<ops::Parameter>(
        element_type_from_onnx(tensor.elem_type()),
        tensor.has_shape() ? shape_from(tensor.shape()) : PartialShape());
}

std::shared_ptr<ops::Parameter> make_body_parameter(const rondo_onnx::ValueInfoProto& input,
                                                    const BodyValue& value) {
    const auto declared = make_parameter(input);
    const ElementType type =
        value.type == ElementType::dynamic ? declared->element_type() : value.type;
    if (declared->element_type() != ElementType::dynamic && declared->element_type() != type) {
        throw ModelError("it is declared " + std::string(to_string(declared->element_type())) +
                         " but gets " + std::string(to_string(type)));
    }
    // The declaration is of one part of a value that is cut along an axis.
    if (value.extra_axis) return std::make_shared<ops::Parameter>(type, value.shape);
    PartialShape shape = value.shape.has_rank() ? value.shape : declared->shape();
    const bool is_row = declared->shape().has_rank() && declared->shape().rank() == 1;
    if (value.is_number && is_row) shape = {Dimension(1)};
    return std::make_shared<ops::Parameter>(type, std::move(shape));
}

void note_declaration(const rondo_onnx::ValueInfoProto& input, const SequenceForm& form) {
    const auto& type = input.type();
    if (!form.list || !type.has_sequence_type()) return;
    const auto& tensor = type.sequence_type().elem_type().tensor_type();
    if (!tensor.has_shape()) return;
    form.list->declared_rank = static_cast<std::size_t>(tensor.shape().dim_size());
}

namespace {

std::string described(const Tensor& value) {
    return std::string(to_string(value.element_type())) + to_string(value.shape());
}

}  // namespace

Initializers::Initializers(const rondo_onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) values_[tensor.name()];
    for (const auto& tensor : graph.sparse_initializer()) values_[tensor.values().name()];
}

bool Initializers::add(const std::string& name, const Tensor& value) {
    Tensor& known = values_[name];
    if (!known) {
        known = value;
        return true;
    }
    if (same_tensor(known, value)) return false;
    const std::string first = described(known);
    const std::string second = described(value);
    throw ModelError(
        "the tensor '" + name + "' is defined twice, " +
        (first == second ? "with different elements" : "as " + first + " and as " + second));
}

namespace {

constexpr std::int64_t kDefaultsSince = 4;  // ModelProto.ir_version

std::set<std::string> initialized_inputs(const rondo_onnx::GraphProto& graph) {
    const auto initializers = initializer_names(graph);
    std::set<std::string> names;
    for (const auto& input : graph.input()) {
        if (initializers.contains(input.name())) names.insert(input.name());
    }
    return names;
}

template <typename Element>
void remove(const std::set<std::string>& names,
            google::protobuf::RepeatedPtrField<Element>& initializers) {
    keep_if(initializers, [&](int i) { return !names.contains(name_of(initializers[i])); });
}

bool is_noted(const rondo_onnx::ModelProto& model) {
    const auto& entries = model.metadata_props();
    return std::any_of(entries.begin(), entries.end(),
                       [](const auto& entry) { return entry.key() == kConstantInputs; });
}

// A line each. Names with control characters would make other lines, or no XML.
void note(const std::set<std::string>& names, rondo_onnx::ModelProto& model) {
    std::vector<std::string> lines;
    std::copy_if(names.begin(), names.end(), std::back_inserter(lines),
                 [](const std::string& name) { return name == one_line(name); });
    if (lines.empty() || is_noted(model)) return;
    auto& entry = *model.add_metadata_props();
    entry.set_key(kConstantInputs);
    entry.set_value(join(lines, "\n"));
}

}  // namespace

void settle_inputs(rondo_onnx::ModelProto& model, bool keep) {
    if (model.ir_version() < kDefaultsSince) return;
    auto& graph = *model.mutable_graph();
    const auto names = initialized_inputs(graph);
    if (names.empty()) return;
    if (!keep) return note(names, model);
    remove(names, *graph.mutable_initializer());
    remove(names, *graph.mutable_sparse_initializer());
}

}  // namespace rondo::onnx
