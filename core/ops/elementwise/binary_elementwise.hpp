// Arithmetic of two tensors, element by element: Add, Subtract, Multiply, Divide, Power.
#pragma once

#include <cstdint>

#include "core/graph/node.hpp"

namespace rondo::ops {

/// How two shapes become one: `none` wants equal shapes, `numpy` aligns them at their last axes.
/// `pdpd` is known by name only, and refused.
enum class AutoBroadcast : std::uint8_t { none, numpy, pdpd };

/// Inputs: a, b of one numeric type. Output: their broadcast shape, the same type. Integers wrap.
class BinaryElementwise : public Node {
public:
    BinaryElementwise() = default;
    BinaryElementwise(const Output& a, const Output& b) : Node({a, b}) {}

    AutoBroadcast auto_broadcast() const { return auto_broadcast_; }
    void set_auto_broadcast(AutoBroadcast rule) { auto_broadcast_ = rule; }

    void visit_attributes(AttributeVisitor& visitor) override;
    void infer(InferContext& context) const override;

private:
    AutoBroadcast auto_broadcast_ = AutoBroadcast::numpy;
};

/// a + b.
class Add final : public Op<Add, BinaryElementwise> {
public:
    static constexpr OpType kType{"Add", 1};
    using Op::Op;
};

/// a - b.
class Subtract final : public Op<Subtract, BinaryElementwise> {
public:
    static constexpr OpType kType{"Subtract", 1};
    using Op::Op;
};

/// a * b.
class Multiply final : public Op<Multiply, BinaryElementwise> {
public:
    static constexpr OpType kType{"Multiply", 1};
    using Op::Op;
};

/// a / b. Integers round down, or towards zero without python_division; by zero is an error.
class Divide final : public Op<Divide, BinaryElementwise> {
public:
    static constexpr OpType kType{"Divide", 1};
    using Op::Op;

    bool python_division() const { return python_division_; }
    void set_python_division(bool rounds_down) { python_division_ = rounds_down; }

    void visit_attributes(AttributeVisitor& visitor) override;

private:
    bool python_division_ = true;
};

/// a to the power of b. Integers: exact modulo their width; a negative power rounds towards zero,
/// and of 0 is an error.
class Power final : public Op<Power, BinaryElementwise> {
public:
    static constexpr OpType kType{"Power", 1};
    using Op::Op;
};

}  // namespace rondo::ops
