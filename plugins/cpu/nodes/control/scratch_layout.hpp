// Hands out places in a call's scratch memory.
#pragma once

#include <cstddef>

namespace rondo::cpu {

class ScratchLayout {
public:
    /// The offset of `bytes` bytes on a cache line.
    std::size_t take(std::size_t bytes) {
        constexpr std::size_t kLine = 64;
        const std::size_t offset = bytes_;
        bytes_ += (bytes + kLine - 1) / kLine * kLine;
        return offset;
    }
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

}  // namespace rondo::cpu
