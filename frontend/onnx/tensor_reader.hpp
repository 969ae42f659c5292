// ONNX's tensor messages become tensors.
#pragma once

#include <string>
#include <vector>

#include "core/support/function_ref.hpp"
#include "frontend/onnx/external_data.hpp"
#include "frontend/onnx/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

class TensorReader {
public:
    /// `model_path` says where files with external data lie; empty for a model in memory.
    /// Their paths are added to `opened`, where there is such a list.
    explicit TensorReader(std::string model_path, std::vector<std::string>* opened = nullptr)
        : external_(std::move(model_path), opened) {}

    /// A copy of the elements, or where they lie in a file of their own, that file mapped.
    /// Throws ModelError or UnsupportedError naming the tensor.
    Tensor read(const rondo_onnx::TensorProto& tensor);

    /// The same for a message that nobody reads again: much raw_data is taken out, not copied.
    Tensor take(rondo_onnx::TensorProto& tensor);

private:
    using ReadRaw = FunctionRef<Tensor(ElementType, const Shape&)>;
    Tensor read_with(const rondo_onnx::TensorProto& tensor, ReadRaw read_raw);

    ExternalData external_;
};

}  // namespace rondo::onnx
