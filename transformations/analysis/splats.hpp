// Finds splats: tensors whose elements are all the same known number, such as a state's zeros.
#pragma once

#include <optional>
#include <vector>

#include "core/extents/integers.hpp"

namespace rondo::passes {

struct Splat {
    Tensor value;  ///< the number, of any shape with one element
    std::vector<ShapeElement> extents;
};

/// The splat that an output is, if each of its extents is known as an element: a Broadcast of one
/// constant element, followed by Transposes, Slices, Gathers, views and Converts of floats, or a
/// Concat of splats of one number. Only through ops that can't fail for this splat, whatever its
/// open extents turn out to be.
std::optional<Splat> splat_of(const Output& output);

}  // namespace rondo::passes
