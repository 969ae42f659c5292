// Writes small graphs: ops one after another. Whoever derives from it says how they are named.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/graph/node.hpp"
#include "core/ops/elementwise/functions.hpp"
#include "core/ops/reduction/functions.hpp"
#include "rondo/tensor.hpp"

namespace rondo::ops {

/// The stop of a slice up to the end of an axis.
inline constexpr std::int64_t kSliceEnd = std::int64_t{1} << 31;

std::vector<Output> outputs_of(const NodePtr& node);

class Builder {
public:
    using Ints = std::vector<std::int64_t>;

    virtual ~Builder() = default;

    template <typename T, typename... Args>
    Output make(Args&&... args) {
        return adopted(new_node<T>(std::forward<Args>(args)...));
    }

    /// All outputs of a node.
    template <typename T, typename... Args>
    std::vector<Output> make_all(Args&&... args) {
        return outputs_of(make<T>(std::forward<Args>(args)...).node_ptr());
    }

    Output constant(const Tensor& value);
    /// A scalar; integers are cut to the range of their type. Throws UnsupportedError for types
    /// that nothing is computed with.
    Output number(ElementType type, double value);
    /// The same in the type of `like`.
    Output number(double value, const Output& like) { return number(like.element_type(), value); }
    /// i64, a vector or a scalar.
    Output ints(const Ints& values);
    Output integer(std::int64_t value);

    Output add(const Output& a, const Output& b) { return apply(BinaryFunction::add, a, b); }
    Output subtract(const Output& a, const Output& b) {
        return apply(BinaryFunction::subtract, a, b);
    }
    Output multiply(const Output& a, const Output& b) {
        return apply(BinaryFunction::multiply, a, b);
    }
    Output divide(const Output& a, const Output& b) { return apply(BinaryFunction::divide, a, b); }
    Output maximum(const Output& a, const Output& b) {
        return apply(BinaryFunction::maximum, a, b);
    }
    Output minimum(const Output& a, const Output& b) {
        return apply(BinaryFunction::minimum, a, b);
    }
    Output apply(BinaryFunction function, const Output& a, const Output& b);
    Output apply(UnaryFunction function, const Output& x);
    Output compare(CompareFunction function, const Output& a, const Output& b);
    Output equal(const Output& a, const Output& b) { return compare(CompareFunction::equal, a, b); }
    Output less(const Output& a, const Output& b) { return compare(CompareFunction::less, a, b); }
    Output less_equal(const Output& a, const Output& b) {
        return compare(CompareFunction::less_equal, a, b);
    }
    Output greater(const Output& a, const Output& b) {
        return compare(CompareFunction::greater, a, b);
    }
    Output greater_equal(const Output& a, const Output& b) {
        return compare(CompareFunction::greater_equal, a, b);
    }
    Output both(const Output& a, const Output& b);
    Output select(const Output& condition, const Output& yes, const Output& no);
    /// x times a number of its type; x itself by 1.
    Output scaled(const Output& x, double factor);
    /// x itself if it has the type.
    Output convert(const Output& x, ElementType type);
    /// e^x - 1 for x <= 0, exact near 0 as well: tanh(x / 2) (e^x + 1).
    Output expm1(const Output& x);

    /// The product over the last two axes; b is [..., K, N], or [..., N, K] if it is transposed.
    Output product(const Output& a, const Output& b);
    Output product_transposed(const Output& a, const Output& b);
    Output softmax(const Output& x, std::int64_t axis = -1);
    /// The axes stay, with extent 1, unless `keep_dims` is false.
    Output reduce(ReduceFunction function, const Output& x, const Ints& axes,
                  bool keep_dims = true);
    /// The sum along an axis, which is dropped.
    Output sum_along(const Output& x, std::int64_t axis);

    Output transpose(const Output& x, const Ints& order);
    /// A 0 copies the extent of x at the same place, -1 is the remaining extent.
    Output reshape(const Output& x, const Ints& pattern);
    /// The pattern comes with the run.
    Output reshape(const Output& x, const Output& pattern);
    /// In exactly this shape, if a 0 is an extent and -1 the remaining one.
    Output reshape_to(const Output& x, const Output& shape);
    Output reshape_to(const Output& x, const Ints& shape) { return reshape_to(x, ints(shape)); }
    Output reshape_like(const Output& x, const Output& like) {
        return reshape_to(x, shape_of(like));
    }
    Output unsqueeze(const Output& x, const Ints& axes);
    Output squeeze(const Output& x, const Ints& axes);
    /// A value of one element as a scalar.
    Output scalar(const Output& x);
    Output int_scalar(const Output& x) { return scalar(convert(x, ElementType::i64)); }
    Output concat(const std::vector<Output>& parts, std::int64_t axis);
    std::vector<Output> split(const Output& x, std::int64_t axis, std::int64_t parts);
    /// Elements from, from + step, ... before `to`, which is clamped.
    Output slice(const Output& x, std::int64_t axis, std::int64_t from, std::int64_t to,
                 std::int64_t step = 1);
    Output gather(const Output& x, const Output& indices, std::int64_t axis);
    /// Zeros before and after the elements of each axis, as two i64 vectors say, or `value`.
    Output pad(const Output& x, const Output& begin, const Output& end, const Output& value = {});
    /// As broadcast to a shape that comes with the run.
    Output broadcast(const Output& x, const Output& shape);

    /// 0, 1, ... below `stop`, a scalar.
    Output range(const Output& stop, ElementType type = ElementType::i64);
    Output shape_of(const Output& x);
    /// An extent of x as an i64 scalar, a constant if it is known.
    Output extent(const Output& x, std::int64_t axis);
    /// The same as i64 [1], which follows x if its shape changes.
    Output run_extent(const Output& x, std::int64_t axis) {
        return gather(shape_of(x), ints({axis}), 0);
    }

protected:
    /// Names and validates a new node.
    virtual void adopt(const NodePtr& node) = 0;

private:
    Output adopted(NodePtr node) {
        adopt(node);
        return node;
    }
};

/// What formulas on floating numbers are computed in: f64 as it is, all else f32.
ElementType arithmetic_type(ElementType type);

/// A tensor whose elements are all `value`, as Builder::number() has it.
Tensor filled_tensor(ElementType type, const Shape& shape, double value);

}  // namespace rondo::ops
