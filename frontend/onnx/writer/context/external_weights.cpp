#include "frontend/onnx/writer/context/external_weights.hpp"

#include <rondo_onnx.pb.h>

#include <array>
#include <filesystem>

#include "frontend/onnx/messages/tensor_writer.hpp"

namespace rondo::onnx {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kWorthAPage = std::size_t{1} << 20;

void set(rondo_onnx::TensorProto& tensor, const char* key, const std::string& value) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
}

}  // namespace

ExternalWeights::ExternalWeights(const std::string& model_path, std::size_t least)
    : path_(model_path + ".data"),
      location_(std::filesystem::path(path_).filename().string()),
      least_(least) {}

bool ExternalWeights::takes(const Tensor& value) const { return stored_bytes(value) >= least_; }

void ExternalWeights::add(const Tensor& value, rondo_onnx::TensorProto& tensor) {
    if (!file_) file_.emplace(path_);
    const std::size_t size = stored_bytes(value);
    pad_to(size >= kWorthAPage ? kPage : kCacheLine);
    const std::size_t offset = file_->size();
    write_form(value, tensor);
    with_stored(value, [&](const void* bytes) { file_->write(bytes, size); });
    tensor.set_data_location(rondo_onnx::TensorProto::EXTERNAL);
    set(tensor, "location", location_);
    set(tensor, "offset", std::to_string(offset));
    set(tensor, "length", std::to_string(size));
}

void ExternalWeights::pad_to(std::size_t alignment) {
    constexpr std::array<char, kPage> kZeros{};
    const std::size_t past = file_->size() % alignment;
    if (past != 0) file_->write(kZeros.data(), alignment - past);
}

void ExternalWeights::finish() {
    if (!file_) return;
    file_->sync();
    file_->finish();
}

void ExternalWeights::publish() {
    if (file_) file_->publish();
}

}  // namespace rondo::onnx
