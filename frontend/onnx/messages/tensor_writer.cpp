#include "frontend/onnx/messages/tensor_writer.hpp"

#include <rondo_onnx.pb.h>

#include <cstdint>
#include <string>

#include "core/support/narrow_type.hpp"
#include "frontend/onnx/messages/data_type.hpp"

namespace rondo::onnx {

void write_tensor(const Tensor& value, rondo_onnx::TensorProto& tensor) {
    const Tensor elements = value.contiguous();
    tensor.set_data_type(onnx_from_element_type(elements.element_type()));
    for (const std::size_t extent : elements.shape()) {
        tensor.add_dims(static_cast<std::int64_t>(extent));
    }
    std::string& raw = *tensor.mutable_raw_data();
    if (elements.size() == 0) return;
    const auto* bytes = static_cast<const std::uint8_t*>(elements.data());
    if (is_narrow(elements.element_type())) {
        raw.resize(packed_bytes(elements.element_type(), elements.size()));
        pack(elements.element_type(), {bytes, elements.size()},
             static_cast<std::uint8_t*>(static_cast<void*>(raw.data())));
        return;
    }
    raw.assign(static_cast<const char*>(elements.data()), elements.byte_size());
}

}  // namespace rondo::onnx
