#include "bindings/onnxruntime/src/borrowed_constants.hpp"

#include <cstring>

namespace rondo::ort {

Tensor BorrowedConstants::hold(const std::string& name, const HostTensor& tensor) {
    const Shape shape{tensor.bytes};
    if (tensor.bytes >= least_ && copied_.count(name) == 0) {
        // Goes with the last tensor that shares the memory.
        const auto token = std::make_shared<const std::string>(name);
        readers_.emplace_back(name, token);
        return {ElementType::u8, shape, static_cast<const void*>(tensor.data), token};
    }
    Tensor copy(ElementType::u8, shape);
    std::memcpy(copy.data(), tensor.data, tensor.bytes);
    return copy;
}

std::vector<std::string> BorrowedConstants::copy_what_is_read() {
    std::vector<std::string> read;
    for (const auto& [name, reader] : readers_) {
        if (!reader.expired() && copied_.insert(name).second) read.push_back(name);
    }
    readers_.clear();
    return read;
}

}  // namespace rondo::ort
