// Where a diagonal runs through matrices.
#pragma once

#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// A diagonal of matrices [.., M, N]: compared, both give a mask [M, N].
struct Diagonal {
    Output columns;  ///< [N]: 0, 1, ...
    Output meets;    ///< [M,1]: the column in which the diagonal meets each row
};

/// `k`, one i64: 0 is the main diagonal, numbers above lie to its right. `data` has rank 2 or more.
Diagonal make_diagonal(NodeContext& context, const Output& data, const Output& k);
/// The same for matrices of this shape, a vector [.., M, N].
Diagonal make_diagonal_in(NodeContext& context, const Output& shape, const Output& k);

}  // namespace rondo::onnx
