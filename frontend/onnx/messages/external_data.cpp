#include "frontend/onnx/messages/external_data.hpp"

#include <rondo_onnx.pb.h>

#include <optional>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"
#include "rondo/model_folder.hpp"

namespace rondo::onnx {
namespace {

std::optional<std::string> entry(const rondo_onnx::TensorProto& tensor, const std::string& key) {
    for (const auto& pair : tensor.external_data()) {
        if (pair.key() == key) return pair.value();
    }
    return std::nullopt;
}

std::optional<std::size_t> number(const rondo_onnx::TensorProto& tensor, const std::string& key) {
    const auto text = entry(tensor, key);
    if (!text) return std::nullopt;
    long long value = 0;
    if (!parse_int(*text, value) || value < 0) {
        throw ModelError("external_data's " + key + " is '" + *text +
                         "'; expected bytes, 0 or more");
    }
    return static_cast<std::size_t>(value);
}

}  // namespace

const MappedFile& ExternalFiles::file(const std::string& location) {
    if (location == kOwnFile) return own_;
    const auto known = files_.find(location);
    if (known != files_.end()) return known->second;
    if (const auto held = in_memory_.find(location); held != in_memory_.end()) {
        const Tensor& bytes = held->second;
        return add(location, {static_cast<const std::byte*>(bytes.data()), bytes.byte_size(),
                              std::make_shared<const Tensor>(bytes)});
    }
    if (model_path_.empty()) {
        throw ModelError("external data lies in '" + location +
                         "', but the model was read from memory" +
                         (in_memory_.empty() ? "; read it from its file" : " without that file"));
    }
    const auto path = path_in_model_folder(model_path_, location, "external data");
    return add(location, open_file(path, opened_));
}

const MappedFile& ExternalFiles::add(const std::string& location, MappedFile file) {
    memory_.add_file(file.size);
    return files_.emplace(location, std::move(file)).first->second;
}

MappedFile ExternalFiles::bytes_of(const rondo_onnx::TensorProto& tensor, std::size_t size) {
    const auto location = entry(tensor, "location");
    if (!location) throw ModelError("external_data has no location");
    const std::size_t offset = number(tensor, "offset").value_or(0);
    const std::size_t length = number(tensor, "length").value_or(size);
    if (length != size) {
        throw ModelError("external_data's length is " + std::to_string(length) + "; expected " +
                         std::to_string(size) + " bytes");
    }
    const MappedFile& whole = file(*location);
    if (offset > whole.size || size > whole.size - offset) {
        throw ModelError("bytes " + std::to_string(offset) + " to " +
                         std::to_string(offset + size) + " lie past the end of '" +
                         (*location == kOwnFile ? "the model" : *location) + "', which has " +
                         std::to_string(whole.size));
    }
    return {whole.data + offset, size, whole.owner};
}

}  // namespace rondo::onnx
