#include "bindings/onnxruntime/src/borrowed_constants.hpp"

#include <cstring>

namespace rondo::ort {

bool BorrowedConstants::may_borrow(const std::string& name, std::size_t bytes) const {
    if (which_ != Borrow::large) return which_ == Borrow::everything;
    return bytes >= large_ && copied_.count(name) == 0;
}

Tensor BorrowedConstants::hold(const std::string& name, const HostTensor& tensor) {
    const Shape shape{tensor.bytes};
    if (may_borrow(name, tensor.bytes)) {
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
