// Tensors whose elements are in other files than the model's.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/constant_memory.hpp"
#include "core/graph/model_source.hpp"
#include "core/support/mapped_file.hpp"
#include "frontend/onnx/messages/message.hpp"

namespace rondo::onnx {

/// The location of elements that lie in the model's own file, see without_large_data().
inline constexpr std::string_view kOwnFile("\0model", 6);

/// Maps each file once, and only files in the model's folder or below it, links resolved.
class ExternalFiles {
public:
    /// Files that are opened are added to the source's list, if there is one, and to `memory`. A
    /// model that was read from memory has no path, and only files that are in memory too.
    ExternalFiles(const ModelSource& source, ConstantMemory& memory)
        : model_path_(source.path),
          in_memory_(source.external),
          own_(own_file(source)),
          opened_(source.opened_files),
          memory_(memory) {}

    /// The `size` bytes that the tensor's external_data names. Throws ModelError if the location
    /// leaves the model's folder, the file can't be read or the range doesn't fit file and size.
    MappedFile bytes_of(const rondo_onnx::TensorProto& tensor, std::size_t size);

    /// True for bytes of the model's own file.
    bool is_own(const MappedFile& bytes) const { return own_.holds(bytes.data, bytes.size); }

private:
    static MappedFile own_file(const ModelSource& source) {
        if (mapping_of(source.owner) == nullptr) return {};  // as what has no references
        const auto held = static_cast<std::size_t>(mapping_of(source.owner)->stamp.size);
        return {source.data, held, source.owner};
    }
    const MappedFile& file(const std::string& location);
    const MappedFile& add(const std::string& location, MappedFile file);

    std::string model_path_;
    std::map<std::string, Tensor> in_memory_;
    MappedFile own_;
    std::vector<OpenedFile>* opened_;
    ConstantMemory& memory_;
    std::map<std::string, MappedFile> files_;
};

}  // namespace rondo::onnx
