// Formulas as small graphs: the ops of a node that has many of them.
#pragma once

#include <string>

#include "core/ops/elementwise/elementwise_ops.hpp"
#include "frontend/onnx/context/node_context.hpp"

namespace rondo::onnx {

/// Makes ops named "<node's name>/part_0" and so on. Numbers of a formula have one type.
class Arithmetic {
public:
    Arithmetic(NodeContext& context, ElementType type) : context_(context), type_(type) {}

    ElementType type() const { return type_; }
    /// A scalar of the formula's type, or of another.
    Output number(double value) { return number(value, type_); }
    Output number(double value, ElementType type);
    /// In the formula's type, or in another.
    Output wide(const Output& value) { return converted(value, type_); }
    Output converted(const Output& value, ElementType type);

    Output add(const Output& a, const Output& b) { return binary(ops::BinaryFunction::add, a, b); }
    Output subtract(const Output& a, const Output& b) {
        return binary(ops::BinaryFunction::subtract, a, b);
    }
    Output multiply(const Output& a, const Output& b) {
        return binary(ops::BinaryFunction::multiply, a, b);
    }
    Output divide(const Output& a, const Output& b) {
        return binary(ops::BinaryFunction::divide, a, b);
    }
    Output binary(ops::BinaryFunction function, const Output& a, const Output& b);
    Output apply(ops::UnaryFunction function, const Output& x);
    Output compare(ops::CompareFunction function, const Output& a, const Output& b);
    Output select(const Output& condition, const Output& yes, const Output& no);

    /// A value of one element as a scalar.
    Output scalar(const Output& value);
    /// 0, 1, 2, ... below `stop`, a scalar.
    Output count_to(const Output& stop, ElementType type);
    Output unsqueeze(const Output& value, std::int64_t axis);
    Output squeeze(const Output& value, std::int64_t axis);
    /// Elements [start, stop) along an axis; places below 0 count from the end.
    Output slice(const Output& value, std::int64_t start, std::int64_t stop, std::int64_t axis);
    /// The sum along an axis, which is dropped.
    Output sum_along(const Output& value, std::int64_t axis);

    /// The name of the next op.
    std::string role() { return "part_" + std::to_string(parts_++); }

private:
    NodeContext& context_;
    ElementType type_;
    int parts_ = 0;
};

}  // namespace rondo::onnx
