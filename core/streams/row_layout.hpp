// Where one row of a tensor lies: rows of a batch are cut out of it, and put together to one.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>

#include "rondo/element_type.hpp"
#include "rondo/shape.hpp"

namespace rondo {

/// A row is a stream's part of a batch: one element along the row axis, or as many for each stream.
/// Without a row axis, the whole tensor is the row.
struct RowLayout {
    std::size_t pieces = 1;  ///< parts of a row that are contiguous in a batch
    std::size_t bytes = 0;   ///< of each piece

    /// `shape`: of a row.
    RowLayout(ElementType type, const Shape& shape, std::optional<std::size_t> axis) {
        bytes = size_of(type);
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (axis && i < *axis) pieces *= shape[i];
            if (!axis || i >= *axis) bytes *= shape[i];
        }
    }

    std::size_t row_bytes() const { return pieces * bytes; }

    /// Copies a row to place `at` of a batch of `rows`.
    void put(const void* row, void* batch, std::size_t rows, std::size_t at) const {
        const auto* from = static_cast<const char*>(row);
        char* to = static_cast<char*>(batch) + at * bytes;
        for (std::size_t i = 0; i < pieces; ++i) {
            std::memcpy(to + i * rows * bytes, from + i * bytes, bytes);
        }
    }

    /// Copies row `at` out of a batch of `rows`.
    void take(const void* batch, std::size_t rows, std::size_t at, void* row) const {
        const char* from = static_cast<const char*>(batch) + at * bytes;
        auto* to = static_cast<char*>(row);
        for (std::size_t i = 0; i < pieces; ++i) {
            std::memcpy(to + i * bytes, from + i * rows * bytes, bytes);
        }
    }

    /// Row `at` of a batch of `rows` becomes zeros.
    void clear(void* batch, std::size_t rows, std::size_t at) const {
        char* to = static_cast<char*>(batch) + at * bytes;
        for (std::size_t i = 0; i < pieces; ++i) std::memset(to + i * rows * bytes, 0, bytes);
    }
};

}  // namespace rondo
