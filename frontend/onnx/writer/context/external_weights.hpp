// The file beside an ONNX model that holds the elements of its larger constants.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/ir/output_file.hpp"
#include "frontend/onnx/messages/message.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

/// Laid out as `onnx.save(save_as_external_data=True)` does it: one tensor after another, each
/// with location, offset and length. An offset is a multiple of 64, of a tensor of 1 MiB or more of
/// 4096, so that the file can be mapped.
class ExternalWeights {
public:
    /// The file is "<model_path>.data"; it is opened by the first tensor. Tensors with less than
    /// `least` bytes stay in the model.
    explicit ExternalWeights(const std::string& model_path, std::size_t least = kLeast);
    /// As onnx.save() has it.
    static constexpr std::size_t kLeast = 1024;

    /// Whether the tensor belongs into the file.
    bool takes(const Tensor& value) const;
    /// Writes the elements, and into the message everything but the name. Throws ModelError if
    /// the file can't be written.
    void add(const Tensor& value, rondo_onnx::TensorProto& tensor);

    /// Whether any tensor was added.
    bool has_file() const { return file_.has_value(); }
    /// Waits until the bytes are on the disk: no more tensors.
    void finish();
    /// Gives the file its name, in place of the one that has it.
    void publish();

private:
    void pad_to(std::size_t alignment);

    std::string path_;
    std::string location_;
    std::size_t least_;
    std::optional<ir::OutputFile> file_;
};

}  // namespace rondo::onnx
