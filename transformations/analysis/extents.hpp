// Numbers and lengths that are extents for certain, and vectors of extents and numbers in one form
// for all of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/recurrent/recurrent_op.hpp"
#include "transformations/analysis/integers.hpp"
#include "transformations/pass/rewriter.hpp"

namespace rondo::passes {

/// True if the single element of `value`, of any type, is certainly the extent of that axis of
/// `tensor`, whatever the shapes are: a constant, or read from the shape of a tensor with the same
/// extent.
bool is_extent(const Output& value, const Output& tensor, std::size_t axis);

/// True if that is certain for all shapes: a constant that holds T, or the
/// extent T itself, read from X or from a tensor that X comes from, broadcast to all rows. Cells
/// have no lengths: true.
bool lengths_are_full(const ops::RecurrentOp& node);

/// The vector of i64 that consists of these elements: constants, and Gathers from ShapeOf nodes of
/// the tensors that the extents come from (extent_origin.hpp).
Output make_shape(Rewriter& rewriter, const std::vector<ShapeElement>& elements,
                  const std::string& name);

/// True for a vector of the form that make_shape() makes.
bool is_made_shape(const Output& vector);

}  // namespace rondo::passes
