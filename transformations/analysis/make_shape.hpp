// Vectors of extents and numbers, in one form for all of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/extents/integers.hpp"
#include "core/graph/node.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// The vector of i64 that consists of these elements: constants, and Gathers from ShapeOf nodes of
/// the tensors that the extents come from (extent_origin.hpp).
Output make_shape(Rewriter& rewriter, const std::vector<ShapeElement>& elements,
                  const std::string& name);

/// True for a vector of the form that make_shape() makes.
bool is_made_shape(const Output& vector);

}  // namespace rondo::passes
