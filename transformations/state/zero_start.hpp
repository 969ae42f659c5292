// The zeros from which variables start where extents are open.
#pragma once

#include <string>
#include <vector>

#include "transformations/pass/rewriter.hpp"
#include "transformations/pass/shape_elements.hpp"

namespace rondo::passes {

/// Zeros of that type whose extents are numbers, or those of tensors: a Broadcast. The new nodes
/// are called `name` with what they are behind it, such as "h/init".
Output make_zeros(Rewriter& rewriter, const std::string& name, ElementType type,
                  const std::vector<ShapeElement>& extents);

}  // namespace rondo::passes
