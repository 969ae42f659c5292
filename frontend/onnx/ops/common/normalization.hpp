// Pieces that the normalisation operators share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// f64 as it is; all else is computed in f32.
ElementType arithmetic_type(ElementType type);

/// `value` in that type: itself where it has it.
Output make_converted(NodeContext& context, const std::string& role, const Output& value,
                      ElementType type);

Output make_binary(NodeContext& context, const std::string& role, ops::BinaryFunction function,
                   const Output& a, const Output& b);

/// sqrt(x + epsilon) in the type of x.
Output make_root(NodeContext& context, const std::string& role, const Output& x, double epsilon);

/// x, known to have as many channels as one of the vectors [C] has elements. The channels are axis
/// 1; a tensor of rank 1 has a single one.
Output with_channels(NodeContext& context, const std::string& role, const Output& x,
                     const std::vector<Output>& vectors);

/// A vector of exactly as many elements as x, a result of with_channels(), has channels. Throws
/// ModelError naming it `what` where it has another shape, at the latest when it runs.
Output make_exact_channels(NodeContext& context, const std::string& role, const Output& vector,
                           const Output& x, const std::string& what);

/// The same as [C,1,...], to meet axis 1 of x.
Output make_channel_vector(NodeContext& context, const std::string& role, const Output& vector,
                           const Output& x, const std::string& what);

/// The rank of X. Throws UnsupportedError where it isn't known, and ModelError below `least`.
std::size_t rank_of_x(const Output& x, std::size_t least);

/// The axes from `axis` to the last. A negative axis needs no rank.
std::vector<std::int64_t> axes_from(const Output& x, std::int64_t axis);

}  // namespace rondo::onnx
