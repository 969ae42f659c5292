// Indices of elements: walked in row-major order, and read from tensors; the context of an
// evaluator, which knows all elements of its inputs.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/infer_context.hpp"
#include "core/graph/node.hpp"
#include "core/support/function_ref.hpp"
#include "rondo/shape.hpp"
#include "rondo/tensor.hpp"

namespace rondo::reference {

/// The context of inferring `node` from these inputs; its errors name the node.
InferContext known_context(const Node& node, std::span<const Tensor> inputs);

/// How many elements the axes [first, last) have together.
std::size_t product(const Shape& shape, std::size_t first, std::size_t last);

/// The lines along one axis of a tensor [outer, extent, inner], whose elements are `inner` apart.
struct AxisLines {
    AxisLines(const Shape& shape, std::size_t axis)
        : outer(product(shape, 0, axis)),
          extent(shape[axis]),
          inner(product(shape, axis + 1, shape.size())) {}

    /// None if they have no elements.
    std::size_t count() const { return extent == 0 ? 0 : outer * inner; }
    /// The number of a line's first element.
    std::size_t start(std::size_t line) const {
        return line / inner * extent * inner + line % inner;
    }

    std::size_t outer, extent, inner;
};

/// Goes on to the next index of `shape` in row-major order, and from the last one to the first.
void next_index(std::vector<std::size_t>& index, const Shape& shape);

/// Writes each element of the output, in row-major order, from if `source(index)` points to.
void copy_each(Tensor& output,
               FunctionRef<const void*(const std::vector<std::size_t>& index)> source);

/// Writes the numbered elements of the data to the output, one after another.
void take_elements(const Tensor& data, const std::vector<std::size_t>& numbers, Tensor& output);

/// The elements of an integer tensor, which name places on an axis: those below 0 count from the
/// end. Throws ModelError through `context` for one that is out of range.
std::vector<std::size_t> places_on_axis(const InferContext& context, const Tensor& indices,
                                        std::size_t extent);

/// One such element; `is_u64` says that a negative one is really above 2^63.
std::size_t place_on_axis(const InferContext& context, std::int64_t index, bool is_u64,
                          std::size_t extent);

/// Elements between neighbours along each axis of the shape that is walked.
using ElementStrides = std::vector<std::size_t>;

/// Row-major strides of `shape` as seen from `walked`, whose last axes are those of `shape`:
/// 0 along axes where `shape` has extent 1 or no axis, so that the element is met again.
ElementStrides broadcast_strides(const Shape& shape, const Shape& walked);

/// Calls `visit` with both offsets for every index of `shape`, in row-major order.
void walk(const Shape& shape, const ElementStrides& a, const ElementStrides& b,
          FunctionRef<void(std::size_t, std::size_t)> visit);

}  // namespace rondo::reference
