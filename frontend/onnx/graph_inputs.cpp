#include "frontend/onnx/graph_inputs.hpp"

#include <rondo_onnx.pb.h>

#include "frontend/onnx/messages/data_type.hpp"
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

void note_declaration(const rondo_onnx::ValueInfoProto& input, const BodyValue& value) {
    const auto& type = input.type();
    if (!value.list || !type.has_sequence_type()) return;
    const auto& tensor = type.sequence_type().elem_type().tensor_type();
    if (!tensor.has_shape()) return;
    value.list->declared_rank = static_cast<std::size_t>(tensor.shape().dim_size());
}

}  // namespace rondo::onnx
