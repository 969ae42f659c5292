// Pieces that the normalisation operators share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/ops/elementwise/binary.hpp"
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

/// A vector [C] as [C,1,...], to meet axis 1 of a tensor of that rank. Throws ModelError naming it
/// `what` where its rank isn't 1.
Output make_channel_vector(NodeContext& context, const std::string& role, const Output& vector,
                           std::size_t rank, const char* what);

/// The rank of X. Throws UnsupportedError where it isn't known, and ModelError below `least`.
std::size_t rank_of_x(const Output& x, std::size_t least);

/// The axes from `axis` to the last. A negative axis needs no rank.
std::vector<std::int64_t> axes_from(const Output& x, std::int64_t axis);

}  // namespace rondo::onnx
