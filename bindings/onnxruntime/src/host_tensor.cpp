#include "bindings/onnxruntime/src/host_tensor.hpp"

#include <memory>

#include "bindings/onnxruntime/src/onnx_fields.hpp"
#include "rondo/error.hpp"

namespace rondo::ort {
namespace {

void read_form(const Host& host, const OrtValue* value, HostTensor& tensor) {
    if (const auto* newer = host.newer()) {
        ONNXTensorElementDataType type{};
        const std::int64_t* extents = nullptr;
        std::size_t rank = 0;
        host.check(newer->GetTensorElementTypeAndShapeDataReference(value, &type, &extents, &rank));
        tensor.element_type = static_cast<int>(type);
        tensor.extents.assign(extents, extents + rank);
        return;
    }
    auto* info = host.get<OrtTensorTypeAndShapeInfo*>(host->GetTensorTypeAndShape, value);
    const std::unique_ptr<OrtTensorTypeAndShapeInfo, decltype(host->ReleaseTensorTypeAndShapeInfo)>
        owner(info, host->ReleaseTensorTypeAndShapeInfo);
    tensor.element_type =
        static_cast<int>(host.get<ONNXTensorElementDataType>(host->GetTensorElementType, info));
    tensor.extents.resize(host.get<std::size_t>(host->GetDimensionsCount, info));
    if (!tensor.extents.empty()) {
        host.check(host->GetDimensions(info, tensor.extents.data(), tensor.extents.size()));
    }
}

}  // namespace

void look_at(const Host& host, const OrtValue* value, HostTensor& tensor) {
    read_form(host, value, tensor);
    if (tensor.element_type == data_type::text) throw UnsupportedError("a tensor of texts");
    tensor.data = static_cast<const char*>(host.get<const void*>(host->GetTensorData, value));
}

HostTensor look_at(const Host& host, const OrtValue* value) {
    HostTensor tensor;
    look_at(host, value, tensor);
    tensor.bytes = host.get<std::size_t>(host->GetTensorSizeInBytes, value);
    return tensor;
}

Message form_message(const HostTensor& tensor, const std::string& name) {
    Message message;
    for (const auto extent : tensor.extents) message.add_int(tensor_field::dims, extent);
    message.add_int(tensor_field::data_type, tensor.element_type);
    if (!name.empty()) message.add_bytes(tensor_field::name, name);
    return message;
}

}  // namespace rondo::ort
