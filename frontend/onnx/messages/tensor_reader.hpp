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
    /// Files with external data are in the folder of the source's path.
    explicit TensorReader(const ModelSource& source = {})
        : memory_(source.limits), external_(source, memory_) {}
    TensorReader(const TensorReader&) = delete;
    TensorReader& operator=(const TensorReader&) = delete;

    /// A copy of the elements; elements in a file of their own are mapped.
    /// Throws ModelError or UnsupportedError naming the tensor.
    Tensor read(const rondo_onnx::TensorProto& tensor);

    /// The same for a message that isn't read again: large raw_data is moved out, not copied.
    Tensor take(rondo_onnx::TensorProto& tensor);

    /// The dense tensor of `sparse.dims`: 0 wherever `sparse.indices` name no element. Indices are
    /// [NNZ] places in the flattened tensor or [NNZ, rank] coordinates, in ascending order. Throws
    /// ModelError naming the tensor, also if the dense one is larger than constants may be.
    Tensor read(const rondo_onnx::SparseTensorProto& sparse);

    /// What the model's constants take: whoever makes one of a tensor counts it.
    ConstantMemory& memory() { return memory_; }

private:
    using ReadRaw = FunctionRef<Tensor(ElementType, const Shape&)>;
    Tensor read_with(const rondo_onnx::TensorProto& tensor, ReadRaw read_raw);

    ConstantMemory memory_;
    ExternalFiles external_;  // counts its files there
};

}  // namespace rondo::onnx
