// Functions of one tensor, element by element: Sqrt, Sigmoid, Tanh, ReLU.
#pragma once

#include "core/graph/node.hpp"

namespace rondo::ops {

/// Input: x of a floating type. Output: the same type and shape.
class FloatElementwise : public Node {
public:
    FloatElementwise() = default;
    explicit FloatElementwise(const Output& x) : Node({x}) {}

    void infer(InferContext& context) const override;
};

/// The square root; NaN for negative numbers.
class Sqrt final : public Op<Sqrt, FloatElementwise> {
public:
    static constexpr OpType kType{"Sqrt", 1};
    using Op::Op;
};

/// 1 / (1 + exp(-x)).
class Sigmoid final : public Op<Sigmoid, FloatElementwise> {
public:
    static constexpr OpType kType{"Sigmoid", 1};
    using Op::Op;
};

/// The hyperbolic tangent.
class Tanh final : public Op<Tanh, FloatElementwise> {
public:
    static constexpr OpType kType{"Tanh", 1};
    using Op::Op;
};

/// max(0, x), of integers too. NaN stays NaN.
class Relu final : public Op<Relu> {
public:
    static constexpr OpType kType{"ReLU", 1};

    Relu() = default;
    explicit Relu(const Output& x) : Op({x}) {}

    void infer(InferContext& context) const override;
};

}  // namespace rondo::ops
