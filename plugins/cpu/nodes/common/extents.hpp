// Shapes of the graph as the signed extents and strides that kernels take, converted once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/support/nd_loop.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo::cpu {

using Extents = std::vector<std::int64_t>;

inline Extents extents_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// The address so many bytes further.
inline const char* at(const void* base, std::int64_t bytes) {
    return static_cast<const char*>(base) + bytes;
}
inline char* at(void* base, std::int64_t bytes) { return static_cast<char*>(base) + bytes; }

/// As size_of(), signed.
inline std::int64_t element_bytes(ElementType type) {
    return static_cast<std::int64_t>(size_of(type));
}

/// As element_count(), signed.
inline std::int64_t count_of(const Shape& shape) {
    return static_cast<std::int64_t>(element_count(shape));
}

/// The product of the extents [first, last).
inline std::int64_t extents_product(const Shape& shape, std::size_t first, std::size_t last) {
    return count_of(Shape(shape.begin() + static_cast<std::ptrdiff_t>(first),
                          shape.begin() + static_cast<std::ptrdiff_t>(last)));
}

/// Row-major strides in units of `element`: 1 for elements, their size for bytes.
inline Strides dense_strides(const Shape& shape, std::int64_t element) {
    Strides strides(shape.size());
    // Unsigned, since it may wrap: beside an extent of 0 the others can be huge.
    auto stride = static_cast<std::uint64_t>(element);
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = static_cast<std::int64_t>(stride);
        stride *= shape[i];
    }
    return strides;
}

/// True where a part of a tensor along `axis` is one block of memory: all axes before it have one
/// element.
inline bool is_block(const Shape& shape, std::size_t axis) {
    return std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(axis),
                       [](std::size_t extent) { return extent == 1; });
}

/// Walks `result` with K operands that NumPy's rules broadcast to it; the last operand of the loop
/// is the result itself. Steps count elements.
template <std::size_t K>
NdLoop<K + 1> broadcast_loop(const std::array<const Shape*, K>& operands, const Shape& result) {
    std::vector<NdAxis<K + 1>> axes(result.size());
    const auto add = [&](const Shape& shape, std::size_t operand) {
        const Strides strides = dense_strides(shape, 1);
        const std::size_t shift = result.size() - shape.size();
        for (std::size_t i = 0; i < shape.size(); ++i) {
            axes[i + shift].steps[operand] = shape[i] == 1 ? 0 : strides[i];
        }
    };
    for (std::size_t i = 0; i < result.size(); ++i) {
        axes[i].count = static_cast<std::int64_t>(result[i]);
    }
    for (std::size_t k = 0; k < K; ++k) add(*operands[k], k);
    add(result, K);
    return NdLoop<K + 1>(std::move(axes));
}

}  // namespace rondo::cpu
