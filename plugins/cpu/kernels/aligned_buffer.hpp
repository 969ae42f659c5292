// Memory for packed weights: it starts on a cache line and starts out as zero.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace rondo::cpu {

constexpr std::size_t kCacheLine = 64;

/// `bytes` rounded up to whole cache lines.
constexpr std::size_t whole_lines(std::size_t bytes) {
    return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

/// Owns `size` numbers, aligned to a cache line. Movable, not copyable.
template <typename T>
class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(std::size_t size)
        : data_(static_cast<T*>(
              ::operator new[](size * sizeof(T) + kCacheLine, std::align_val_t{kCacheLine}))),
          size_(size) {
        std::memset(data_.get(), 0, size * sizeof(T));
    }

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(T* p) const { ::operator delete[](p, std::align_val_t{kCacheLine}); }
    };
    std::unique_ptr<T[], Free> data_;
    std::size_t size_ = 0;
};

using AlignedBuffer = AlignedArray<float>;
using AlignedBytes = AlignedArray<std::byte>;

}  // namespace rondo::cpu
