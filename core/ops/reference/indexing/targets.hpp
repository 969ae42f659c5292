// Which elements of a tensor the indices of an op name, one after another.
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// For each index of `indices`, in row-major order, the number of the element of a tensor of shape
/// `data` that stands there, except that its place along `axis` is the one that indices hold.
std::vector<std::size_t> element_targets(const InferContext& context, const Shape& data,
                                         const Tensor& indices, std::size_t axis);

/// data [B.., D.., E..], indices [B.., J.., K]: for each tuple of K places along the axes D.. the
/// numbers of all elements of its slice. `batch`: axes in front that are common to both.
std::vector<std::size_t> slice_targets(const InferContext& context, const Shape& data,
                                       const Tensor& indices, std::size_t batch);

}  // namespace rondo::reference
