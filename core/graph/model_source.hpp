// Where a model is read from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/support/mapped_file.hpp"
#include "core/support/model_limits.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// A file as a reader has seen it: the mapping keeps these bytes where another file takes the path.
struct OpenedFile {
    std::string path;
    MappedFile bytes;
};

/// A model's bytes and where they came from.
struct ModelSource {
    /// For error messages, and for files that lie beside it: empty when read from memory.
    std::string path;
    const std::byte* data = nullptr;
    std::size_t size = 0;
    /// Keeps `data` alive; a graph that points into the bytes keeps a copy of it.
    std::shared_ptr<const void> owner;
    /// The IR's weights: a path, or a tensor of bytes; both may be empty.
    std::string weights_path;
    Tensor weights;
    /// Where set, readers add every other file that they open.
    std::vector<OpenedFile>* opened_files = nullptr;
    ModelLimits limits = {};
    /// Inputs of ONNX with initializers that a caller may replace stay inputs.
    bool keeps_inputs = false;
};

}  // namespace rondo
