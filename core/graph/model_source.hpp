// Where a model is read from.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/support/limits.hpp"
#include "core/support/mapped_file.hpp"
#include "rondo/tensor.hpp"

namespace rondo {

/// A file as a reader has seen it: these bytes stay mapped even if another file takes the path.
struct OpenedFile {
    std::string path;
    MappedFile bytes;
    bool settled = true;  ///< a change after it was opened changes its stamp
};

/// So many bytes are read to know a file, or all files of a model together, by all their bytes.
inline constexpr std::size_t kSmallFile = std::size_t{16} << 20;

/// Maps a file that a model is read from. Adds it to `opened` if that isn't null; one that was
/// written a moment ago is then waited for until it is settled, if there are more than kSmallFile
/// bytes by then.
MappedFile open_file(const std::string& path, std::vector<OpenedFile>* opened);

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
    /// The files of ONNX's external data by location, if they are in memory.
    std::map<std::string, Tensor> external = {};
    /// If set, readers add every other file that they open.
    std::vector<OpenedFile>* opened_files = nullptr;
    ModelLimits limits = {};
    /// Inputs of ONNX with initializers that a caller may replace stay inputs.
    bool keeps_inputs = false;
    /// What the IR's constants with an attribute `file` lie in, 1 for the first: an entry of the
    /// cache has such constants.
    std::vector<MappedFile> files = {};
};

}  // namespace rondo
