// Tensors whose elements are in other files than the model's.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/graph/constant_memory.hpp"
#include "core/graph/model_source.hpp"
#include "core/support/mapped_file.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// Maps each file once, and only files in the model's folder or below it, links resolved.
class ExternalData {
public:
    /// `model_path` is empty for a model read from memory, which can't have such files.
    /// Files that are opened are added to `opened`, where there is such a list, and to `memory`.
    ExternalData(std::string model_path, std::vector<OpenedFile>* opened, ConstantMemory& memory)
        : model_path_(std::move(model_path)), opened_(opened), memory_(memory) {}

    /// The `size` bytes that the tensor's external_data names. Throws ModelError where the location
    /// leaves the model's folder, the file can't be read or the range doesn't fit file and size.
    MappedFile bytes_of(const rondo_onnx::TensorProto& tensor, std::size_t size);

private:
    const MappedFile& file(const std::string& location);

    std::string model_path_;
    std::vector<OpenedFile>* opened_;
    ConstantMemory& memory_;
    std::map<std::string, MappedFile> files_;
};

}  // namespace rondo::onnx
