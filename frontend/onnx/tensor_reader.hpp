// ONNX's tensor messages become tensors.
#pragma once

#include <string>
#include <vector>

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

private:
    ExternalData external_;
};

}  // namespace rondo::onnx
