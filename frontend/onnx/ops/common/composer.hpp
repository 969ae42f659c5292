// Writes the small graphs that stand for an operator which the IR has no op for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/elementwise/functions.hpp"
#include "core/ops/reduction/functions.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// The stop of a slice up to the end of an axis.
inline constexpr std::int64_t kSliceEnd = std::int64_t{1} << 31;

/// Makes ops that it names one after another: "<node's name>/part_7". Numbers have one type where
/// none is given.
class Composer {
public:
    using Ints = std::vector<std::int64_t>;

    explicit Composer(NodeContext& context, ElementType type = ElementType::f32)
        : context_(context), type_(type) {}

    NodeContext& context() { return context_; }
    ElementType type() const { return type_; }
    /// A name for an op that is made elsewhere.
    std::string role() { return "part_" + std::to_string(parts_++); }

    Output constant(const Tensor& value);
    Output number(ElementType type, double value);
    Output number(double value) { return number(type_, value); }
    Output ints(const Ints& values);
    Output integer(std::int64_t value);

    Output add(const Output& a, const Output& b) { return apply(Binary::add, a, b); }
    Output subtract(const Output& a, const Output& b) { return apply(Binary::subtract, a, b); }
    Output multiply(const Output& a, const Output& b) { return apply(Binary::multiply, a, b); }
    Output divide(const Output& a, const Output& b) { return apply(Binary::divide, a, b); }
    Output maximum(const Output& a, const Output& b) { return apply(Binary::maximum, a, b); }
    Output minimum(const Output& a, const Output& b) { return apply(Binary::minimum, a, b); }
    Output apply(ops::BinaryFunction function, const Output& a, const Output& b);
    Output apply(ops::UnaryFunction function, const Output& x);
    Output compare(ops::CompareFunction function, const Output& a, const Output& b);
    Output both(const Output& a, const Output& b);
    Output select(const Output& condition, const Output& yes, const Output& no);
    /// x times a number of its type; x itself by 1.
    Output scaled(const Output& x, double factor);
    /// x itself where it has the type.
    Output convert(const Output& x, ElementType type);
    /// In the formula's type.
    Output wide(const Output& x) { return convert(x, type_); }
    /// e^x - 1 for x <= 0, exact near 0 as well: tanh(x / 2) (e^x + 1).
    Output expm1(const Output& x);

    /// The product over the last two axes; b is [..., K, N], or [..., N, K] where it is transposed.
    Output product(const Output& a, const Output& b);
    Output product_transposed(const Output& a, const Output& b);
    Output softmax(const Output& x, std::int64_t axis = -1);
    /// The axes stay, with extent 1.
    Output reduce(ops::ReduceFunction function, const Output& x, const Ints& axes);
    /// The sum along an axis, which is dropped.
    Output sum_along(const Output& x, std::int64_t axis);

    Output transpose(const Output& x, const Ints& order);
    /// As make_reshape() takes it.
    Output reshape(const Output& x, const Ints& pattern);
    /// The pattern comes with the run.
    Output reshape(const Output& x, const Output& pattern);
    Output unsqueeze(const Output& x, const Ints& axes);
    Output squeeze(const Output& x, const Ints& axes);
    /// A value of one element as a scalar.
    Output scalar(const Output& x);
    Output concat(const std::vector<Output>& parts, std::int64_t axis);
    std::vector<Output> split(const Output& x, std::int64_t axis, std::int64_t parts);
    /// Elements from, from + step, ... before `to`, which is clamped.
    Output slice(const Output& x, std::int64_t axis, std::int64_t from, std::int64_t to,
                 std::int64_t step = 1);
    Output gather(const Output& x, const Output& indices, std::int64_t axis);
    /// As broadcast to a shape that comes with the run.
    Output broadcast(const Output& x, const Output& shape);

    /// 0, 1, ... below `stop`, a scalar.
    Output range(const Output& stop, ElementType type = ElementType::i64);
    /// The extent of an axis, as an i64 scalar; a negative axis counts from the end.
    Output extent(const Output& x, std::int64_t axis);

    /// The value, whose op gets the node's own name unless it was made elsewhere.
    Output result(const Output& value);

private:
    using Binary = ops::BinaryFunction;

    NodeContext& context_;
    ElementType type_;
    int parts_ = 0;
};

}  // namespace rondo::onnx
