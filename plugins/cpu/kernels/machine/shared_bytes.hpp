// Packed weights: equal ones share memory.
#pragma once

#include <cstddef>
#include <memory>

#include "plugins/cpu/kernels/machine/aligned_buffer.hpp"

namespace rondo::cpu {

/// Bytes that don't change any more, in the memory of equal ones that live already, of this model
/// or another: a weight that many nodes read is packed by each of them. Thread-safe.
class SharedBytes {
public:
    SharedBytes() = default;  ///< none
    /// Throws std::bad_alloc.
    explicit SharedBytes(AlignedBytes bytes);

    const std::byte* data() const { return bytes_ == nullptr ? nullptr : bytes_->data(); }
    std::size_t size() const { return bytes_ == nullptr ? 0 : bytes_->size(); }

private:
    std::shared_ptr<const AlignedBytes> bytes_;
};

}  // namespace rondo::cpu
