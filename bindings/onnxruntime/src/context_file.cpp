#include "bindings/onnxruntime/src/context_file.hpp"

#include <filesystem>
#include <system_error>

#include "bindings/onnxruntime/src/host_graph.hpp"
#include "rondo/error.hpp"
#include "rondo/model_folder.hpp"

namespace rondo::ort {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& model) {
    return model.parent_path().empty() ? fs::path(".") : model.parent_path();
}

}  // namespace

std::string context_model_path(const ContextOptions& options, const std::string& model_path) {
    if (!options.model_path.empty()) return options.model_path;
    if (model_path.empty()) {
        throw ModelError(
            "the model was read from memory; set ep.context_file_path, which says where the "
            "compiled parts go, or ep.context_embed_mode=1");
    }
    return model_path.substr(0, model_path.rfind('.')) + "_ctx.onnx";  // as onnxruntime does
}

ContextFile::ContextFile(const std::string& context_model_path) {
    const fs::path model(context_model_path);
    path_ = (folder_of(model) / (model.stem().string() + "_rondo.bin")).string();
    stream_.open(path_, std::ios::binary | std::ios::trunc);
    if (!stream_) throw ModelError("can't write the file " + in_quotes(path_));
}

ContextFile::~ContextFile() {
    std::error_code ignored;
    if (!is_finished_) fs::remove(path_, ignored);
}

std::string ContextFile::location() const { return fs::path(path_).filename().string(); }

void ContextFile::finish() {
    stream_.close();
    if (!stream_) throw ModelError("the file " + in_quotes(path_) + " takes no more bytes");
    is_finished_ = true;
}

std::string read_context_file(const std::string& model_path, const std::string& location,
                              const FileRange& range) {
    if (model_path.empty()) {
        throw ModelError("file " + in_quotes(location) +
                         " can't be found, since the model was read from memory; set "
                         "ep.context_file_path to the path that the model has");
    }
    const fs::path file = path_in_model_folder(model_path, location, "the compiled part");
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error) throw ModelError(in_quotes(file.string()) + " is no regular file");
    if (range.begin > size || range.size > size - range.begin) {
        throw ModelError("file " + in_quotes(file.string()) + " has " + std::to_string(size) +
                         " bytes; the part has " + std::to_string(range.size) + " from byte " +
                         std::to_string(range.begin) + " on");
    }
    std::string bytes(range.size, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(range.begin));
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream) throw ModelError("file " + in_quotes(file.string()) + " can't be read");
    return bytes;
}

}  // namespace rondo::ort
