// Turns ONNX's tensor messages into tensors.
#pragma once

#include <string>
#include <vector>

#include "core/support/function_ref.hpp"
#include "frontend/onnx/messages/external_data.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

class TensorReader {
public:
    /// Files with external data are in the folder of `model_path`, which is empty for a model in
    /// memory. Their paths are added to `opened` if it isn't null.
    explicit TensorReader(std::string model_path, std::vector<std::string>* opened = nullptr)
        : external_(std::move(model_path), opened) {}

    /// A copy of the elements; elements in a file of their own are mapped.
    /// Throws ModelError or UnsupportedError naming the tensor.
    Tensor read(const rondo_onnx::TensorProto& tensor);

    /// The same for a message that isn't read again: large raw_data is moved out, not copied.
    Tensor take(rondo_onnx::TensorProto& tensor);

private:
    using ReadRaw = FunctionRef<Tensor(ElementType, const Shape&)>;
    Tensor read_with(const rondo_onnx::TensorProto& tensor, ReadRaw read_raw);

    ExternalData external_;
};

}  // namespace rondo::onnx
