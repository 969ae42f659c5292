// What the ops have in common whose inputs name places of elements.
#pragma once

#include <cstddef>
#include <string_view>

namespace rondo {
class InferContext;
}

namespace rondo::ops {

/// Throws through `context` unless the input's type is open or an integer; `what` names the input:
/// "indices".
void check_indices(const InferContext& context, std::size_t input, std::string_view what);

/// For an op that picks elements along one axis: throws through `context` unless data (input 0) and
/// `input` have the same rank, and the input is nowhere larger than data except along the axis.
/// Both ranks must be known.
void check_beside_axis(const InferContext& context, std::size_t input, std::string_view what,
                       std::size_t axis);

}  // namespace rondo::ops
