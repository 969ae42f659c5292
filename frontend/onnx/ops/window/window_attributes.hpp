// What operators with a sliding window say about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ops/window/convolutions.hpp"
#include "core/ops/window/pool.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// The attribute `auto_pad`; explicit pads if it is absent.
ops::AutoPad auto_pad_of(NodeContext& by);

/// The attribute's `size` entries, each `missing` if it is absent. Throws ModelError for another
/// number of entries.
std::vector<std::int64_t> entries_of(NodeContext& by, const char* name, std::size_t size,
                                     std::int64_t missing);

/// strides, dilations, pads and auto_pad of an operator with so many spatial axes. Throws
/// ModelError if both pads and auto_pad are given.
ops::ConvolutionAttributes window_attributes(NodeContext& by, std::size_t axes);

/// All that a pool of X says, kernel_shape and ceil_mode too. Throws ModelError if the rank of X
/// contradicts it.
ops::PoolAttributes pool_attributes(NodeContext& by, const Output& x);

/// Spatial axes, from whichever input has a known rank.
std::size_t spatial_axes_of(const Output& data, const Output& filters);

/// W, known to have the spatial extents that the attribute kernel_shape says. Throws ModelError
/// if its rank or that attribute contradicts the rest.
Output with_kernel_shape(NodeContext& by, const Output& filters, std::size_t axes);

/// The attribute `group`, at least 1.
std::int64_t group_of(NodeContext& by);

/// W with its first axis in two: [group, axis 0 / group, ...].
Output grouped_filters(NodeContext& by, const Output& filters, std::int64_t group);

/// sums [N, M, spatial...] plus a bias [M]; `sums` if there is none. Throws ModelError if the
/// bias has another shape, at the latest when it runs.
Output biased_channels(NodeContext& by, const Output& sums, const Output& bias,
                       const Dimension& channels);

/// The convolution of X by the filters W, as the node's attributes say.
Output convolved(NodeContext& by, const Output& data, const Output& filters);

/// A number for each filter, [M], in the shape [1,M,1,...] of a convolution's result; others stay
/// as they are.
Output along_filters(NodeContext& by, const Output& vector, const Output& data,
                     const Output& filters);

}  // namespace rondo::onnx
