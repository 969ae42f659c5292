// The shape of a product of matrices, or of batches of them.
#pragma once

#include "core/graph/infer_context.hpp"
#include "core/graph/op_traits.hpp"

namespace rondo::ops {

/// Whether the last two axes of an operand are swapped first.
struct Transposition {
    bool a = false;
    bool b = false;
};

/// The shape of input 0, [..., M, K], times input 1, [..., K, N]: [..., M, N]. Leading axes
/// broadcast as in NumPy; an input of rank 1 is a row (a) or a column (b) whose axis is dropped
/// again. Throws through `context` where they don't fit.
PartialShape product_shape(const InferContext& context, Transposition transposed);

/// Which rows along `axis` of such a product depend on which rows of inputs 0 and 1, for operands
/// of these ranks; more inputs count as a whole.
IndependentAxis product_rows(std::size_t a_rank, std::size_t b_rank, std::size_t axis,
                             Transposition transposed, std::size_t input_count = 2);

}  // namespace rondo::ops
