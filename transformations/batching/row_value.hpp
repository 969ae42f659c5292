// What is known of a value in a batch of streams: where its rows lie.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "core/extents/integers.hpp"
#include "transformations/analysis/search.hpp"

namespace rondo::passes {

/// The number of streams, in the elements of a value: each is n times as large with n streams, or
/// the same for any number of them.
inline ExtentSum number_of_streams() { return ExtentSum::variable(0); }

inline bool counts_streams(const Integer& element) { return element && element->has_variables(); }

/// The number that an element is with any number of streams, if that is known.
inline std::optional<std::int64_t> number_of(const Integer& element) {
    return element ? element->number() : std::nullopt;
}

/// A value with n streams. With rows: the n values that one stream alone would give, joined along
/// `axis`. Without: the same value for any n, except for `elements` that count streams.
struct RowValue {
    bool has_rows = false;
    std::size_t axis = 0;
    ExtentSum extent = 1;  ///< along the axis, of one stream
    /// What a small tensor of whole numbers without rows holds, if known.
    std::optional<Integers> elements = {};
    Choices choices{};  ///< on which this depends

    bool counts_streams() const {
        return elements && std::any_of(elements->begin(), elements->end(), passes::counts_streams);
    }
    static RowValue rows(std::size_t axis, ExtentSum extent) {
        return {true, axis, std::move(extent)};
    }
};

/// Thrown where the rows of streams can't be kept apart.
struct RowObstacle {
    const Node* node = nullptr;
    std::string why;
    Choices choices{};
};

}  // namespace rondo::passes
