// Indices of elements: walked in row-major order, and read from tensors.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// Goes on to the next index of `shape` in row-major order, and from the last one to the first.
void next_index(std::vector<std::size_t>& index, const Shape& shape);

/// The elements of an integer tensor, which name places on an axis: those below 0 count from the
/// end. Throws ModelError through `context` for one that is out of range.
std::vector<std::size_t> places_on_axis(const InferContext& context, const Tensor& indices,
                                        std::size_t extent);

/// One such element; `is_u64` says that a negative one is really above 2^63.
std::size_t place_on_axis(const InferContext& context, std::int64_t index, bool is_u64,
                          std::size_t extent);

}  // namespace rondo::reference
