#include "bindings/onnxruntime/src/loans.hpp"

#include <cstring>

namespace rondo::ort {
namespace {

constexpr std::size_t kWorthLending = std::size_t{1} << 20;  // bytes

}  // namespace

bool Loans::may_lend(const std::string& name, std::size_t bytes) const {
    if (which_ != Which::large) return which_ == Which::all;
    return bytes >= kWorthLending && copied_.count(name) == 0;
}

Tensor Loans::hold(const std::string& name, const HostTensor& tensor) {
    const Shape shape{tensor.bytes};
    if (may_lend(name, tensor.bytes)) {
        // Goes with the last tensor that shares the memory.
        const auto token = std::make_shared<const std::string>(name);
        lent_.emplace_back(name, token);
        return {ElementType::u8, shape, static_cast<const void*>(tensor.data), token};
    }
    Tensor copy(ElementType::u8, shape);
    std::memcpy(copy.data(), tensor.data, tensor.bytes);
    return copy;
}

bool Loans::copy_what_is_read() {
    bool found = false;
    for (const auto& [name, reader] : lent_) {
        if (!reader.expired()) found = copied_.insert(name).second || found;
    }
    lent_.clear();
    return found;
}

}  // namespace rondo::ort
