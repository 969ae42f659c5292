// The integers of shapes that are computed in a graph, in a batch of streams.
#pragma once

#include <optional>
#include <vector>

#include "transformations/rows/row_value.hpp"

namespace rondo::passes {

/// The elements of a constant of at most 64 whole numbers; nothing for another tensor.
std::optional<std::vector<RowElement>> elements_of_constant(const Tensor& value);

/// The elements of the node's only output, which follow from the shapes or the elements of the
/// inputs; nothing where that isn't known. Where an input counts streams, so do they.
std::optional<std::vector<RowElement>> elements_of_output(const Node& node,
                                                          const std::vector<RowValue>& inputs);

}  // namespace rondo::passes
