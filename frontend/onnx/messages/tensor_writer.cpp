#include "frontend/onnx/messages/tensor_writer.hpp"

#include <rondo_onnx.pb.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/support/narrow_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"

namespace rondo::onnx {

std::size_t stored_bytes(const Tensor& value) {
    const ElementType type = value.element_type();
    return is_narrow(type) ? packed_bytes(type, value.size()) : value.byte_size();
}

void with_stored(const Tensor& value, FunctionRef<void(const void* bytes)> use) {
    if (value.size() == 0) return;
    const Tensor elements = value.contiguous();
    const void* data = std::as_const(elements).data();
    if (!is_narrow(value.element_type())) return use(data);
    std::vector<std::uint8_t> packed(stored_bytes(value));
    pack(value.element_type(), {static_cast<const std::uint8_t*>(data), elements.size()},
         packed.data());
    use(packed.data());
}

void write_form(const Tensor& value, rondo_onnx::TensorProto& tensor) {
    tensor.set_data_type(onnx_from_element_type(value.element_type()));
    for (const std::size_t extent : value.shape()) {
        tensor.add_dims(static_cast<std::int64_t>(extent));
    }
}

void write_tensor(const Tensor& value, rondo_onnx::TensorProto& tensor) {
    write_form(value, tensor);
    tensor.mutable_raw_data();
    with_stored(value, [&](const void* bytes) { tensor.set_raw_data(bytes, stored_bytes(value)); });
}

}  // namespace rondo::onnx
