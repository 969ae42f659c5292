#include "frontend/onnx/messages/external_data.hpp"

#include <rondo_onnx.pb.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/support/strings.hpp"
#include "rondo/error.hpp"

namespace rondo::onnx {
namespace {

namespace fs = std::filesystem;

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

// A model must not make its reader open files elsewhere.
void check_location(const std::string& location) {
    const fs::path path(location);
    const bool climbs = std::find(path.begin(), path.end(), "..") != path.end();
    const bool broken = location.empty() || location.find('\0') != std::string::npos;
    if (!broken && !climbs && path.is_relative()) return;
    throw ModelError("external data lies at '" + location.substr(0, location.find('\0')) +
                     "'; expected a path inside the model's folder");
}

bool lies_in(const fs::path& file, const fs::path& folder) {
    const auto end = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end.first == folder.end();
}

// Symbolic links must not lead elsewhere either. A model that is a link itself may have its data
// beside the link or beside what it links to, as stores that link to blobs keep both.
void check_links(const fs::path& model, const fs::path& data) {
    std::error_code error;
    const fs::path real_data = fs::canonical(data, error);
    if (error) return;  // opening it says why
    const fs::path named = model.parent_path().empty() ? fs::path(".") : model.parent_path();
    for (const fs::path& folder :
         {fs::canonical(named, error), fs::canonical(model, error).parent_path()}) {
        if (!folder.empty() && lies_in(real_data, folder)) return;
    }
    throw ModelError("external data '" + data.string() + "' is a link to '" + real_data.string() +
                     "'; expected a file inside the model's folder");
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
    check_location(location);
    if (model_path_.empty()) {
        throw ModelError("external data lies in '" + location +
                         "', but the model was read from memory" +
                         (in_memory_.empty() ? "; read it from its file" : " without that file"));
    }
    const auto path = fs::path(model_path_).parent_path() / location;
    check_links(model_path_, path);
    return add(location, open_file(path.string(), opened_));
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
