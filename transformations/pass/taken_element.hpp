// Recognises values that are one element of an axis.
#pragma once

#include <cstddef>
#include <optional>

#include "core/graph/node.hpp"

namespace rondo::passes {

/// An element of an axis, and all of the other axes.
struct TakenElement {
    std::size_t axis = 0;
    std::size_t index = 0;
};

/// What a Gather with one index, or a Split or VariadicSplit into single elements, takes of an axis
/// of known extent; nothing for other values. The axis itself may be gone.
std::optional<TakenElement> taken_element(const Output& value);

}  // namespace rondo::passes
