// Memory for packed weights: floats that start on a cache line and start out as zero.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace rondo::cpu {

constexpr std::size_t kCacheLine = 64;

/// Owns `size` floats, aligned to a cache line. Movable, not copyable.
class AlignedBuffer {
public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t size)
        : data_(static_cast<float*>(
              ::operator new[](size * sizeof(float) + kCacheLine, std::align_val_t{kCacheLine}))),
          size_(size) {
        std::memset(data_.get(), 0, size * sizeof(float));
    }

    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(float* p) const { ::operator delete[](p, std::align_val_t{kCacheLine}); }
    };
    std::unique_ptr<float[], Free> data_;
    std::size_t size_ = 0;
};

}  // namespace rondo::cpu
