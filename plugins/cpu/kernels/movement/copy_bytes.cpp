#include "plugins/cpu/kernels/movement/copy_bytes.hpp"

#include <cstring>

namespace rondo::cpu {
namespace {

template <typename T>
void fill(void* to, const void* element, std::int64_t count) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    auto* bytes = static_cast<char*>(to);
    if (value == 0) {
        std::memset(bytes, 0, static_cast<std::size_t>(count) * sizeof(T));
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        std::memcpy(bytes + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
    }
}

}  // namespace

void fill_elements(void* to, const void* element, std::int64_t size, std::int64_t count) {
    switch (size) {
        case 1: return fill<std::uint8_t>(to, element, count);
        case 2: return fill<std::uint16_t>(to, element, count);
        case 4: return fill<std::uint32_t>(to, element, count);
        default: return fill<std::uint64_t>(to, element, count);
    }
}

}  // namespace rondo::cpu
