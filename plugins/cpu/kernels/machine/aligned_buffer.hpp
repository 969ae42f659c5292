// Memory for packed weights: it starts on a cache line and starts out as zero.
#pragma once

#include <cstddef>
#include <memory>

namespace rondo::cpu {

constexpr std::size_t kCacheLine = 64;
/// What one entry of the CPU's table of addresses may cover, instead of 4 KiB.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// `bytes` rounded up to whole cache lines.
constexpr std::size_t whole_lines(std::size_t bytes) {
    return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

/// Zeroed memory on a cache line. From kHugePage bytes on it starts on a huge page, and the system
/// is asked for such pages: weights that are read at every step miss fewer addresses then, and are
/// there sooner. Throws std::bad_alloc.
void* allocate_zeroed(std::size_t bytes);
/// Gives back what allocate_zeroed() returned for that many bytes.
void free_zeroed(void* memory, std::size_t bytes);

/// Owns `size` numbers, aligned to a cache line. Movable, not copyable.
template <typename T>
class AlignedArray {
public:
    AlignedArray() = default;
    explicit AlignedArray(std::size_t size)
        : data_(static_cast<T*>(allocate_zeroed(size * sizeof(T))), {size * sizeof(T)}),
          size_(size) {}

    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

private:
    struct Free {
        std::size_t bytes = 0;
        void operator()(T* memory) const { free_zeroed(memory, bytes); }
    };
    std::unique_ptr<T[], Free> data_;
    std::size_t size_ = 0;
};

using AlignedBuffer = AlignedArray<float>;
using AlignedBytes = AlignedArray<std::byte>;

}  // namespace rondo::cpu
