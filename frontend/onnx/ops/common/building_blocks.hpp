// Small pieces of graph that converters are built of, and checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/builder.hpp"
#include "frontend/onnx/context/node_context.hpp"
#include "rondo/tensor.hpp"

namespace rondo::onnx {

using ops::arithmetic_type;
using ops::BinaryFunction;
using ops::CompareFunction;
using ops::filled_tensor;
using ops::kSliceEnd;
using ops::outputs_of;
using ops::ReduceFunction;
using ops::UnaryFunction;
using Ints = ops::Builder::Ints;

/// from, from + 1, ... below `end`: axes.
Ints ints_from(std::int64_t from, std::size_t end);
/// `rank` numbers 1, of which the one at `place` is -1: a vector along that axis.
Ints along_axis_pattern(std::size_t rank, std::size_t place = 0);

/// [N,C,...] of [N,...,C], and the reverse; the rank must be known. Throws UnsupportedError.
Output with_channels_first(NodeContext& by, const Output& x);
Output with_channels_last(NodeContext& by, const Output& x);

/// The value, known to have the static extents of `expected`, which has its rank. Each one that
/// only `expected` knows costs a view, which fails when it runs if the value has another.
Output with_extents(NodeContext& by, const Output& value, const PartialShape& expected);
/// The value in the shape of x: a view, which fails when it runs if x has another number of
/// elements, as after broadcasting that made the value wider.
Output in_shape_of(NodeContext& by, const Output& value, const Output& x);
/// The value, an elementwise result of x and the parameters, which may be empty; a view as above
/// only if one of them could make it wider.
Output in_shape_of(NodeContext& by, const Output& value, const Output& x,
                   const std::vector<Output>& parameters);

/// Throws ModelError if a tensor of that shape, which `what` names, can't be broadcast to
/// `target`.
void check_broadcast(const PartialShape& shape, const PartialShape& target, std::string_view what);
/// The static extents that a tensor of shape `target` must have, as one of `shape` is broadcast to
/// it; the others are open.
PartialShape extents_met(const PartialShape& shape, const PartialShape& target);

/// The product of the extents [from, to), or nothing while one is open.
std::optional<std::int64_t> known_elements(const PartialShape& shape, std::size_t from,
                                           std::size_t to);
/// `axis` copied extents, then all others as one. A count of 0 must not be written: it would copy
/// an extent. -1 is always right, since all other extents cancel out.
Ints flat_pattern(const PartialShape& shape, std::int64_t axis);

/// x, known to have as many channels as one of the vectors [C] has elements. The channels are axis
/// 1; a tensor of rank 1 has a single one.
Output with_channels(NodeContext& by, const Output& x, const std::vector<Output>& vectors);
/// A vector of exactly as many elements as x, a result of with_channels(), has channels. Throws
/// ModelError naming it `what` if it has another shape, at the latest when it runs.
Output exact_channels(NodeContext& by, const Output& vector, const Output& x,
                      const std::string& what);
/// The same as [C,1,...], to meet axis 1 of x.
Output channel_vector(NodeContext& by, const Output& vector, const Output& x,
                      const std::string& what);

/// The axes from `axis` to the last. A negative axis needs no rank.
Ints axes_from(const Output& x, std::int64_t axis);

}  // namespace rondo::onnx
