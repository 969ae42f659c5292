// What an element of a shape may be: a number, an extent of a tensor, or a product of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// A number, or else the extent of one axis of a tensor.
struct ShapeElement {
    std::optional<std::int64_t> number;
    Output tensor = {};
    std::size_t axis = 0;

    friend bool operator==(const ShapeElement&, const ShapeElement&) = default;
};

/// A number times some extents, none of which is known.
struct ShapeProduct {
    std::int64_t number = 1;
    std::vector<ShapeElement> extents = {};

    bool is_number() const { return extents.empty(); }
    friend bool operator==(const ShapeProduct&, const ShapeProduct&) = default;
};

}  // namespace rondo::passes
