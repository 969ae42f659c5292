// Small pieces of graph that converters are built of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/builder.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

using ops::filled_tensor;

/// In all of these `role` names the new op, as NodeContext::make() says; "" is the node's own name.

/// A constant of rank 1, or of rank 0.
Output make_ints(NodeContext& context, const std::string& role,
                 const std::vector<std::int64_t>& values);
Output make_int_scalar(NodeContext& context, const std::string& role, std::int64_t value);
/// A constant whose elements are all `value`, which `type` must be able to hold.
Output make_filled(NodeContext& context, const std::string& role, ElementType type,
                   const Shape& shape, double value);

Output make_transpose(NodeContext& context, const std::string& role, const Output& data,
                      const std::vector<std::int64_t>& order);
/// [N,C,...] of [N,...,C], and the other way round; the rank must be known. Throws
/// UnsupportedError.
Output with_channels_first(NodeContext& context, const std::string& role, const Output& x);
Output with_channels_last(NodeContext& context, const std::string& role, const Output& x);
/// A 0 copies the extent of data at the same place, -1 is the remaining extent.
Output make_reshape(NodeContext& context, const std::string& role, const Output& data,
                    const std::vector<std::int64_t>& pattern);
Output make_concat(NodeContext& context, const std::string& role, std::vector<Output> parts,
                   std::int64_t axis);
std::vector<Output> make_split(NodeContext& context, const std::string& role, const Output& data,
                               std::int64_t axis, std::int64_t parts);
Output make_sum(NodeContext& context, const std::string& role, const Output& a, const Output& b);
/// i64 [rank].
Output make_shape_of(NodeContext& context, const std::string& role, const Output& data);
/// Element `index` of a vector, as i64 [1].
Output make_element(NodeContext& context, const std::string& role, const Output& vector,
                    std::int64_t index);
/// The value, a scalar, in the shape that an integer vector holds.
Output make_broadcast(NodeContext& context, const std::string& role, const Output& value,
                      const Output& shape);

/// The value, known to have the static extents of `expected`, which has its rank. Each one that
/// only `expected` knows costs a view, which fails when it runs where the value has another.
Output with_extents(NodeContext& context, const std::string& role, const Output& value,
                    const PartialShape& expected);
/// The value in the shape of x: a view, which fails when it runs where x has another number of
/// elements, as after broadcasting that made the value wider.
Output make_in_shape_of(NodeContext& context, const std::string& role, const Output& value,
                        const Output& x);

/// Throws ModelError where a tensor of that shape, which `what` names, can't be broadcast to
/// `target`.
void check_broadcast(const PartialShape& shape, const PartialShape& target, std::string_view what);
/// The static extents that a tensor of shape `target` must have, as one of `shape` is broadcast to
/// it; the others are open.
PartialShape extents_met(const PartialShape& shape, const PartialShape& target);

/// The product of the extents [from, to), or nothing while one is open.
std::optional<std::int64_t> known_elements(const PartialShape& shape, std::size_t from,
                                           std::size_t to);

/// All outputs of a node.
std::vector<Output> outputs_of(const NodePtr& node);

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
