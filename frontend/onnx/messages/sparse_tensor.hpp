// Turns ONNX's sparse tensor messages into dense tensors.
#pragma once

#include "frontend/onnx/messages/message.hpp"
#include "frontend/onnx/messages/tensor_reader.hpp"

namespace rondo::onnx {

/// The dense tensor of `sparse.dims`: 0 wherever `sparse.indices` name no element. Indices are
/// [NNZ] places in the flattened tensor or [NNZ, rank] coordinates, in ascending order.
/// Throws ModelError naming the tensor, also where the dense one is larger than constants may be.
Tensor read_sparse_tensor(const rondo_onnx::SparseTensorProto& sparse, TensorReader& reader);

}  // namespace rondo::onnx
