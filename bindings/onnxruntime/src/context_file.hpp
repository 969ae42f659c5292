// The files of models that hold compiled parts: where they are, and that nothing outside is read.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "bindings/onnxruntime/src/options.hpp"

namespace rondo::ort {

/// Bytes of a file.
struct FileRange {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
};

/// The path of the model that a session writes: the option's, else that of the model which is
/// compiled, with "_ctx.onnx" at its end. Throws ModelError if there is neither.
std::string context_model_path(const ContextOptions& options, const std::string& model_path);

/// A file beside that model, which goes unless it is finished.
class ContextFile {
public:
    /// Throws ModelError if it can't be made.
    explicit ContextFile(const std::string& context_model_path);
    ~ContextFile();
    ContextFile(const ContextFile&) = delete;
    ContextFile& operator=(const ContextFile&) = delete;

    /// As the model names it: relative to its folder.
    std::string location() const;
    std::ostream& stream() { return stream_; }
    std::uint64_t size() { return static_cast<std::uint64_t>(stream_.tellp()); }
    /// Throws ModelError if not all was written.
    void finish();

private:
    std::string path_;
    std::ofstream stream_;
    bool is_finished_ = false;
};

/// Bytes of a file that a model names. Throws ModelError if it isn't a file in the model's folder
/// or below, or is too short.
std::string read_context_file(const std::string& model_path, const std::string& location,
                              const FileRange& range);

}  // namespace rondo::ort
